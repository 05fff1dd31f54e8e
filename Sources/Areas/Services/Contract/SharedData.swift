internal import JSON

/// The kinds of a user's data that a service receives.
public struct SharedData: OptionSet, Hashable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let positions = SharedData(rawValue: 1)
    public static let vitals = SharedData(rawValue: 2)
    public static let all: SharedData = [.positions, .vitals]

    /// The names in requests and answers.
    public var names: [String] {
        SharedData.byName.filter { contains($0.data) }.map(\.name)
    }

    /// - Returns: nil if a name is unknown, or there are none.
    public init?(names: [String]) {
        var all: SharedData = []
        for name in names {
            guard let data = SharedData.byName.first(where: { $0.name == name })?.data else {
                return nil
            }
            all.insert(data)
        }
        guard !all.isEmpty else { return nil }
        self = all
    }

    private static let byName: [(name: String, data: SharedData)] = [
        ("positions", .positions), ("vitals", .vitals),
    ]
}

extension Kind where Value == SharedData {
    static let sharedData = Kind(.array(of: .choice(SharedData.all.names))) {
        value, field, fields, _ in
        let names = value.elements.compactMap(\.text)
        if names.count == value.elements.count, let data = SharedData(names: names) {
            return data
        }
        fields.refuse(field, "must be an array of positions and vitals")
        return nil
    }
}

extension WrittenKind where Value == SharedData {
    static let sharedData = WrittenKind(Kind.sharedData.schema) { data, json in
        json.array(data.names) { $0.string($1) }
    }
}
