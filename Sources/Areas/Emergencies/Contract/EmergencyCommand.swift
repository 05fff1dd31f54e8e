public import Tracking

/// What a device may ask for about SOS calls and alerts.
public enum EmergencyCommand: AreaCommand {
    /// A position that cannot be accepted does not prevent an SOS; the reply mentions it. With a
    /// position and a problem, its time could not be accepted, and is that of its arrival.
    case trigger(Fix?, refused: Problem?)
    case stop
    case alerts(GroupKey, before: UUIDv7?, limit: Int)
    case acknowledge(UUIDv7, Answer)

    /// What somebody who has seen an alert says to it.
    public enum Answer: String, Sendable, CaseIterable {
        case seen
        case coming
        case called
        /// Takes `coming` back.
        case notComing = "not-coming"
    }

    public static let alertLimit: ClosedRange<Int64> = 1...100
    public static let usualAlertLimit = 50

    static func trigger(
        _ fields: Fields, at now: Timestamp, _ limits: FixLimits
    ) -> EmergencyCommand {
        guard let value = fields["fix"] else { return .trigger(nil, refused: nil) }
        do {
            let fix = try Fix(
                value, receivedAt: now, prefix: "fix.", usualTime: now, limits)
            return .trigger(fix, refused: nil)
        } catch {
            // If only its time is wrong, it is that of its arrival.
            let fix = Fix(value, takenAt: now, limits)
            return .trigger(fix, refused: error)
        }
    }

    static func acknowledge(_ fields: inout Fields) -> EmergencyCommand? {
        let alert = fields.uuid("alert")
        let kind = fields.string(ifPresent: "kind") ?? Answer.seen.rawValue
        guard let answer = Answer(rawValue: kind) else {
            let all = Answer.allCases.map(\.rawValue).joined(separator: ", ")
            fields.refuse("kind", "must be one of \(all)")
            return nil
        }
        return alert.map { .acknowledge($0, answer) }
    }

    static func alerts(_ fields: inout Fields) -> EmergencyCommand? {
        let group = fields.group()
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: alertLimit).map { Int($0) }
        return group.map { .alerts($0, before: before, limit: limit ?? usualAlertLimit) }
    }
}
