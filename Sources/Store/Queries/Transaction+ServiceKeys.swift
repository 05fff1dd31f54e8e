/// Keys that the service makes for itself, by name.
extension Transaction {
    /// The name of the public key with which the broker's plugin encrypts.
    public static let envelopeKeyName = "envelope"

    public func serviceKey(_ name: String) throws(StoreError) -> [UInt8]? {
        try one("SELECT value FROM service_keys WHERE name = ?", [.text(name)]) {
            row throws(StoreError) in try row.blob(0)
        }
    }

    public func setServiceKey(_ name: String, _ value: [UInt8]) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO service_keys (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [.text(name), .blob(value)])
    }
}
