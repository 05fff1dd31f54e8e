/// Keys that the service generates for itself, by name.
extension Transaction {
    /// The name of the public key with which the broker's plugin encrypts.
    public static let envelopeKeyName = "envelope"

    public func serviceKey(_ name: String) throws(StoreError) -> [UInt8]? {
        try one("SELECT value FROM service_keys WHERE name = ?", [.text(name)]) { try $0.blob(0) }
    }

    /// Returns the key, and generates it the first time.
    ///
    /// - Parameter length: in bytes.
    public func serviceKey(
        _ name: String, _ length: Int, using random: inout some RandomNumberGenerator
    ) throws(StoreError) -> [UInt8] {
        if let key = try serviceKey(name) { return key }
        let key = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
        try setServiceKey(name, key)
        return key
    }

    public func setServiceKey(_ name: String, _ value: [UInt8]) throws(StoreError) {
        notes?.hasChangedKeys = true
        try driver.execute(
            """
            INSERT INTO service_keys (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [.text(name), .blob(value)])
    }
}
