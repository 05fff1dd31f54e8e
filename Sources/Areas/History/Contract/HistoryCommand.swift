internal import JSON
public import Tracking

/// What a device may ask for about its user's own history.
public enum HistoryCommand: AreaCommand {
    /// - `every`: the least time between two of a device.
    case positions(Stretch, every: Duration, cursor: String?)
    case deleteVitals(Stretch)
    case deletePositions(Stretch, cursor: String?)
    case add([Fix], source: String)
    case imports
    case deleteImport(String)

    /// Times from one until before another.
    public struct Stretch: Sendable {
        public let from: Timestamp
        public let to: Timestamp

        public func contains(_ time: Timestamp) -> Bool { from <= time && time < to }
    }

    /// Positions in one request.
    public static let maximumPositions = 500
    /// The name of a source, in characters.
    public static let maximumSourceLength = 64
    /// Reasons that are told, at most.
    private static let maximumErrors = 16

    static func positions(_ fields: inout Fields) -> HistoryCommand? {
        let (stretch, cursor) = (fields.stretch(), fields.string(ifPresent: "cursor"))
        let every = fields.integer(ifPresent: "every", in: 0...86_400)
        guard let stretch else { return nil }
        return .positions(stretch, every: .seconds(every ?? 0), cursor: cursor)
    }

    static func delete(_ fields: inout Fields) -> HistoryCommand? {
        let (stretch, cursor) = (fields.stretch(), fields.string(ifPresent: "cursor"))
        let what = fields.string("what")
        if let what, !["positions", "vitals"].contains(what) {
            fields.refuse("what", "must be positions or vitals")
        }
        if what == "vitals", cursor != nil {
            fields.refuse("cursor", "was not issued by this service")
        }
        guard let stretch, let what else { return nil }
        return what == "vitals"
            ? .deleteVitals(stretch) : .deletePositions(stretch, cursor: cursor)
    }

    static func add(_ fields: inout Fields, at now: Timestamp) -> HistoryCommand? {
        let source = fields.importSource()
        guard case .array(let elements) = fields["positions"],
            1...maximumPositions ~= elements.count
        else {
            fields.refuse("positions", "must be an array of 1 to \(maximumPositions) Fixes")
            return nil
        }
        // Nobody's history is too old.
        var limits = FixLimits()
        limits.retention = now - Timestamp(milliseconds: 0)
        var fixes: [Fix] = []
        for (index, element) in elements.enumerated() {
            let name = "positions[\(index)]"
            do throws(Problem) {
                fixes.append(
                    try Fix(element, receivedAt: now, prefix: "\(name).", limits))
            } catch {
                for error in error.errors { fields.refuse(error.field, error.reason) }
                if error.kind == .tooOld {
                    fields.refuse("\(name).timestamp", "must not be before 1970")
                }
                if fields.errors.count >= maximumErrors { return nil }
            }
        }
        guard let source, fixes.count == elements.count else { return nil }
        return .add(fixes, source: source)
    }
}

extension Fields {
    fileprivate mutating func stretch() -> HistoryCommand.Stretch? {
        let (from, to) = (time("from"), time("to"))
        guard let from, let to else { return nil }
        guard from < to else {
            refuse("to", "must come after from")
            return nil
        }
        return HistoryCommand.Stretch(from: from, to: to)
    }

    mutating func importSource() -> String? {
        guard let text = string("source") else { return nil }
        do throws(DisplayName.Reason) {
            return try DisplayName.checked(text, atMost: HistoryCommand.maximumSourceLength)
        } catch {
            refuse("source", error.text)
            return nil
        }
    }
}
