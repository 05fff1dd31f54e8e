internal import Contract

/// Messages that only the bridge must be able to read, wherever the broker keeps them.
extension Gatekeeper {
    /// The public key with which the message, which may be published, is encrypted for the bridge.
    ///
    /// - Returns: nil if any receiver may read it, or if there is no key: then the bridge stores
    ///   nothing of such a message.
    public func envelopeKey(for topic: String, at now: Duration) -> [UInt8]? {
        guard let match = match(of: topic), policy.isSealed(match, topic) else { return nil }
        return rights.envelopeKey(at: now)
    }
}
