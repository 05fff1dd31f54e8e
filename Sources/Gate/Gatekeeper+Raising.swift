internal import Contract

extension Gatekeeper {
    /// Whether a message that a device published with QoS 0 goes on with QoS 1: it asks for
    /// something, and where the bridge is away, or ends just now, it would be lost without a word.
    public func isRaised(_ topic: String, by client: Client) -> Bool {
        guard let session = sessions[client], let place = place(of: topic) else { return false }
        return policy.isOwnRequest(place, session.principal)
    }
}
