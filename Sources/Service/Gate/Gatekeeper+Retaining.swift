internal import Contract

/// Decides which messages from devices are retained.
extension Gatekeeper {
    /// Whether the message, which may be published with its retain flag set, keeps the flag.
    public func mayRetain(_ topic: String, by client: Client) -> Bool {
        guard let session = sessions[client], let match = match(of: topic) else { return false }
        return policy.mayPublish(match, retained: true, session.principal, facts(of: session))
    }

    func mayPublish(
        _ match: AccessPolicy.TopicMatch, retained: Bool, _ session: Session, _ client: Client
    ) -> Bool {
        let facts = facts(of: session)
        if policy.mayPublish(match, retained: retained, session.principal, facts) { return true }
        return retained && policy.forgivesRetaining(match) && !isWill(of: session, client)
            && policy.mayPublish(match, retained: false, session.principal, facts)
    }

    /// The broker publishes a last will as it is: the gate cannot clear its retain flag.
    func isWill(of session: Session, _ client: Client) -> Bool {
        !session.isConnected || clientsByID[session.clientID] != client
    }
}
