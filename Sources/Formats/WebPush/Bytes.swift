internal import Base64

extension PushSubscription {
    /// - Parameters:
    ///   - publicKey: a point of P-256, uncompressed: 65 bytes.
    ///   - authenticationSecret: 16 bytes.
    public init(endpoint: String, publicKey: [UInt8], authenticationSecret: [UInt8])
        throws(WebPushError)
    {
        try self.init(
            endpoint: endpoint, p256dh: Base64URL.encode(publicKey),
            auth: Base64URL.encode(authenticationSecret))
    }
}

extension VAPIDKey {
    /// - Parameter bytes: the private key, 32 bytes. Few values are invalid.
    public init(bytes: [UInt8]) throws(WebPushError) { try self.init(Base64URL.encode(bytes)) }
}
