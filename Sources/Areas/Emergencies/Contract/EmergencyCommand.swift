public import Tracking

/// A device's requests about SOS calls and alerts.
public enum EmergencyCommand: AreaCommand {
    /// A position that cannot be accepted does not prevent an SOS; the reply reports it. If there
    /// is both a position and a problem, its time could not be accepted, and is that of its
    /// arrival.
    case trigger(Fix?, refused: Problem?)
    case stop
    case alerts(GroupKey, before: UUIDv7?, limit: Int)
    case acknowledge(UUIDv7, Answer)

    /// A member's response to an alert.
    public enum Answer: String, Sendable, CaseIterable {
        case seen
        case coming
        case called
        /// Withdraws `coming`.
        case notComing = "not-coming"
    }

    /// Read manually: an invalid position must never refuse a call for help.
    static let call = Form(
        ways: [
            [
                .init(
                    "fix", isRequired: false, .payload("Fix"),
                    "without a `timestamp`, it counts as taken now")
            ]
        ]
    ) { fields, circumstances in
        let (now, limits) = (circumstances.now, circumstances.limits)
        guard let value = fields["fix"] else {
            return EmergencyCommand.trigger(nil, refused: nil)
        }
        do throws(Problem) {
            let fix = try Fix(value, receivedAt: now, prefix: "fix.", usualTime: now, limits)
            return .trigger(fix, refused: nil)
        } catch {
            // If only its time is wrong, it is that of its arrival.
            return .trigger(Fix(value, takenAt: now, limits), refused: error)
        }
    }
}
