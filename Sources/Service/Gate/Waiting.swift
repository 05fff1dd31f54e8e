internal import Contract
internal import Tracking

/// The limited messages queued at the broker for a session whose client is offline.
public struct Waiting: Hashable, Sendable {
    private var messages = 0
    private var bytes = 0
    /// Alerts have their own places in each group, and those about calls for help are separate, so
    /// that a call is queued regardless of other messages.
    private var calls: [GroupKey: Taken] = [:]
    private var alerts: [GroupKey: Taken] = [:]

    /// The limits per session.
    public struct Limits: Sendable {
        public var messages = 10_000
        public var bytes = 4 << 20
        /// Further messages that cannot be obtained again: notices, replies.
        public var words = 1_000
        /// Calls for help, their repetitions and their ends. One with ten repetitions takes 12.
        public var calls = Places(assured: 24, ofOne: 400, ofGroup: 400)
        public var alerts = Places(assured: 4, ofOne: 20, ofGroup: 200)

        public init() {}
    }

    /// The number of a group's alerts that may be queued.
    public struct Places: Sendable {
        /// About each member, however many others there are.
        public var assured: Int
        /// About one member, while the group has places left.
        public var ofOne: Int
        public var ofGroup: Int

        public init(assured: Int, ofOne: Int, ofGroup: Int) {
            (self.assured, self.ofOne, self.ofGroup) = (assured, ofOne, ofGroup)
        }
    }

    /// The used places, by the alerts' subjects.
    private struct Taken: Hashable {
        var all = 0
        var ofMember: [Name: Int] = [:]

        mutating func take(_ member: Name, of places: Places) -> Bool {
            let own = ofMember[member, default: 0]
            guard own < places.assured || (own < places.ofOne && all < places.ofGroup) else {
                return false
            }
            ofMember[member] = own + 1
            all += 1
            return true
        }
    }

    public init() {}

    /// - Parameters:
    ///   - size: the payload's size in bytes.
    ///   - heading: an alert's heading.
    /// - Returns: whether the message may also be queued.
    mutating func take(
        _ worth: AccessPolicy.Worth, size: Int, heading: AlertMessage.Heading?,
        within limits: Limits
    ) -> Bool {
        switch worth {
        case .nothing: return false
        case .alert(let group) where heading?.isUpdate != true:
            guard let heading else { return true }
            return heading.kind.isOfCall
                ? calls[group, default: Taken()].take(heading.user, of: limits.calls)
                : alerts[group, default: Taken()].take(heading.user, of: limits.alerts)
        case .alert, .copy:
            guard messages < limits.messages, bytes + size <= limits.bytes else { return false }
        case .word:
            let reserve = limits.words * PayloadLimits.oneMessage
            guard messages < limits.messages + limits.words,
                bytes + size <= limits.bytes + reserve
            else { return false }
        }
        messages += 1
        bytes += size
        return true
    }
}
