internal import Contract

/// Messages that only the bridge is to read, wherever the broker keeps them meanwhile.
extension Gatekeeper {
    /// The public key with which the message, which may be published, is encrypted for the bridge.
    ///
    /// - Returns: nil if anybody may read it who receives it, or if there is no key: the bridge
    ///   stores nothing of such a message then.
    public func envelopeKey(for topic: String, at now: Duration) -> [UInt8]? {
        guard let match = match(of: topic), policy.isSealed(match, topic) else { return nil }
        return rights.envelopeKey(at: now)
    }
}
