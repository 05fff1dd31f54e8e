internal import Contract

/// What is queued at the broker for a session whose client is offline, as far as it is limited.
public struct Waiting: Hashable, Sendable {
    private var messages = 0
    private var bytes = 0
    /// Alerts have a limit of their own per group, so that a call for help from another group is
    /// queued whatever else anybody sends.
    private var alerts: [GroupKey: Int] = [:]

    /// The limits per session.
    public struct Limits: Sendable {
        public var messages = 10_000
        public var bytes = 4 << 20
        /// Further messages that cannot be obtained again: notices, replies.
        public var words = 1_000
        public var alertsOfGroup = 200

        public init() {}
    }

    public init() {}

    /// - Parameter size: the payload's size in bytes.
    /// - Returns: whether the message may be queued as well.
    mutating func take(_ worth: AccessPolicy.Worth, size: Int, within limits: Limits) -> Bool {
        switch worth {
        case .nothing: return false
        case .alert(let group):
            guard alerts[group, default: 0] < limits.alertsOfGroup else { return false }
            alerts[group, default: 0] += 1
            return true
        case .copy:
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
