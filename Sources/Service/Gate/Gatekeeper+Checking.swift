internal import Contract

/// What a load balancer before several brokers asks: whether clients should connect to this one.
extension Gatekeeper {
    /// The user name in the CONNECT that asks. No account can have it.
    static let checker = "kith:check"

    /// How long the bridge may be gone, or the rights incomplete: another bridge takes over, and a
    /// connection that is lost is made again.
    static let checkPatience = Duration.seconds(3)

    /// Compared by bytes, since comparing characters takes long if there are many combining marks.
    func isCheck(_ username: String?) -> Bool {
        username?.utf8.elementsEqual(Gatekeeper.checker.utf8) ?? false
    }

    /// - Returns: `refused`, which is an answer, if clients are served here; `cutOff` if not.
    func check(at now: Duration) -> Verdict {
        let since = [aloneSince, lackingSince].compactMap { $0 }.min()
        return since.map { now - $0 >= Gatekeeper.checkPatience } ?? false ? .cutOff : .refused
    }

    func noteBridge(_ session: Session, isConnected: Bool, at now: Duration) {
        guard session.principal == .system(.bridge) else { return }
        bridges += isConnected ? 1 : -1
        aloneSince = bridges > 0 ? nil : now
    }
}
