internal import Contract

extension Gatekeeper {
    /// Whether a message that a device published with QoS 0 is forwarded with QoS 1: it is a
    /// request, and would be lost silently if the bridge is down or just ending.
    public func isRaised(_ topic: String, by client: Client) -> Bool {
        guard let session = sessions[client], let match = match(of: topic) else { return false }
        return policy.isOwnRequest(match, session.principal)
    }

    /// Whether it is a device's call for help.
    public func isCall(_ topic: String, by client: Client) -> Bool {
        topic.hasSuffix(Gatekeeper.endOfCalls) && isRaised(topic, by: client)
    }

    private static let endOfCalls = "/" + Method.triggerSOS.name
}
