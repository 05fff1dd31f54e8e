internal import Contract

/// What a load balancer before several brokers asks: whether clients should connect to this one.
extension Gatekeeper {
    /// The user name in the CONNECT that asks. No account can have it.
    static let checker = "kith:check"

    /// How long the bridge may be gone: another takes over, which reads all people first.
    static let patienceWithBridge = Duration.seconds(10)
    /// How long the bridge must have been back to count as that.
    static let leastReturn = Duration.seconds(1)
    /// How long the rights may be incomplete.
    static let patienceWithRights = Duration.seconds(3)

    /// Compared by bytes, since comparing characters takes long if there are many combining marks.
    func isCheck(_ username: String?) -> Bool {
        username?.utf8.elementsEqual(Gatekeeper.checker.utf8) ?? false
    }

    /// - Returns: `refused`, which is an answer, if clients are served here; `cutOff` if not.
    func check(at now: Duration) -> Verdict {
        if bridges > 0, now - bridgeSince >= Gatekeeper.leastReturn { aloneSince = nil }
        let isAlone = aloneSince.map { now - $0 >= Gatekeeper.patienceWithBridge } ?? false
        let isBehind = lackingSince.map { now - $0 >= Gatekeeper.patienceWithRights } ?? false
        return isAlone || isBehind || !rights.isTrusted(at: now) ? .cutOff : .refused
    }

    func noteBridge(_ session: Session, isConnected: Bool, at now: Duration) {
        guard session.principal == .system(.bridge) else { return }
        bridges += isConnected ? 1 : -1
        if bridges == 0 { aloneSince = aloneSince ?? now }
        if bridges == 1, isConnected { bridgeSince = now }
    }
}
