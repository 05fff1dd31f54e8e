public import Anonymity
public import JSON
internal import Tracking

extension CohortFilter {
    /// The canonical text, the same for equal filters.
    public var stored: String {
        String(decoding: CohortFilter.payload.bytes(of: self), as: UTF8.self)
    }

    /// Restores a stored filter; nil if it is damaged.
    public init?(stored: String) {
        guard let value = JSONValue(parsing: Array(stored.utf8), isOurs: true) else { return nil }
        let age = value["age"]
        do throws(CohortFilter.Invalid) {
            try self.init(
                ageFrom: age?["from"]?.integer.map { Int($0) },
                to: age?["to"]?.integer.map { Int($0) }, gender: value["gender"]?.text,
                residence: value["residence"]?.text)
        } catch {
            return nil
        }
    }

    /// The members, as in the request; none of nil.
    static let payload = Payload<CohortFilter?>(
        .init(
            "age",
            .object(
                .init("from", .age) { $0.lowerBound },
                .init("to", .age) { $0.upperBound })
        ) { $0?.age },
        .init("gender", .choice(of: HealthProfile.Gender.allCases.map(\.rawValue))) { $0?.gender },
        .init("residence", .text) { $0?.residence })
}

extension CohortAnswer {
    /// The numbers only, with the names of their parts.
    public var stored: String {
        var parts = [JSONValue.Member(Part.people.description, .number(Double(people)))]
        for (quantity, histogram) in histograms.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            parts.append(
                .init(
                    Part.quantity(quantity).description,
                    .array(histogram.counts.map { .number(Double($0)) })))
        }
        for (place, people) in presence.sorted(by: { $0.key < $1.key }) {
            parts.append(.init(Part.presence(place).description, .number(Double(people))))
        }
        return JSONValue.object(parts).written
    }

    /// Restores a stored answer; nil if it is damaged.
    public init?(stored: String) {
        guard case .object(let parts)? = JSONValue(parsing: Array(stored.utf8)) else { return nil }
        var people: Int?
        var histograms: [Quantity: NoisyHistogram] = [:]
        var presence: [Anonymity.Presence: Int] = [:]
        for part in parts {
            let count = part.value.integer.map { Int($0) }
            switch Part(part.key) {
            case nil: return nil
            case .people: people = count
            case .presence(let place): presence[place] = count
            case .quantity(let quantity):
                let counts = part.value.elements.compactMap(\.integer).map { Int($0) }
                guard counts.count == quantity.bands.count else { return nil }
                histograms[quantity] = NoisyHistogram(quantity.bands, counts: counts)
            }
        }
        guard let people else { return nil }
        self.init(people: people, histograms: histograms, presence: presence)
    }

    /// Returns the members for third parties.
    ///
    /// - Parameter window: hours since the epoch.
    public func members(about window: Range<Int>) -> [JSONValue.Member] {
        let histograms = histograms.sorted { $0.key.rawValue < $1.key.rawValue }
        let presence = presence.sorted { $0.key < $1.key }
        return CohortAnswer.members(of: window) + [.init("people", .count(people))]
            + histograms.map { .init($0.key.name, $0.value.json) } + [
                .init(
                    "presence",
                    .array(presence.map { CohortAnswer.json(of: $0.key, people: $0.value) }))
            ]
    }

    /// - Parameter window: hours since the epoch.
    public static func members(of window: Range<Int>) -> [JSONValue.Member] {
        func time(_ hour: Int) -> JSONValue {
            .string(Timestamp(milliseconds: Int64(hour) * 3_600_000).rfc3339)
        }
        return [.init("from", time(window.lowerBound)), .init("to", time(window.upperBound))]
    }

    private static func json(of place: Anonymity.Presence, people: Int) -> JSONValue {
        var members = [JSONValue.Member("hour", .number(Double(place.hour)))]
        if let cell = CohortCell(number: place.cell) {
            members.append(.init("latitude", .number(Double(cell.coordinate.latitudeE7) / 1e7)))
            members.append(.init("longitude", .number(Double(cell.coordinate.longitudeE7) / 1e7)))
        }
        return .object(members + [.init("people", .count(people))])
    }
}

extension WrittenKind where Value == Int {
    fileprivate static let age = integer(0...CohortFilter.oldestAge)
}

extension NoisyHistogram {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("from", .number(bands.lowerBound)), .init("width", .number(bands.width)),
            .init("people", .array(counts.map { .count($0) })),
        ]
        if let mean {
            members.append(.init("mean", told(mean)))
            members.append(
                .init(
                    "percentiles",
                    .object(
                        [10, 25, 50, 75, 90].compactMap { percent in
                            percentile(percent).map { .init("\(percent)", told($0)) }
                        })))
        }
        if bands.isFirstWide { members.append(.init("leastTold", .number(bands.leastTold))) }
        return .object(members)
    }

    /// Returns the number; null below the least value that is reported.
    private func told(_ number: Double) -> JSONValue {
        number < bands.leastTold ? .null : .hundredths(number)
    }
}

extension JSONValue {
    fileprivate var written: String {
        var json = JSONWriter(capacity: 1_000)
        json.value(self)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns a count; noise can make it negative, which is never shown.
    fileprivate static func count(_ people: Int) -> JSONValue { .number(Double(max(people, 0))) }

    fileprivate static func hundredths(_ number: Double) -> JSONValue {
        .number((number * 100).rounded() / 100)
    }
}

extension JSONValue.Member {
    fileprivate init(_ key: String, _ value: JSONValue) { self.init(key: key, value: value) }
}
