internal import Store
internal import Tracking

/// Reads in short transactions, since a long one would keep the bridge's write-ahead log from being
/// truncated. So each one first checks that the user still exists.
struct Reader {
    let store: Store
    let user: UserRow

    func read<Value>(_ body: (Transaction) throws -> Value) throws(ExportError) -> Value {
        let value: Value?
        do throws(StoreError) {
            value = try store.transaction { transaction in
                guard let found = try transaction.user(user.name), found.id == user.id,
                    found.createdAt == user.createdAt
                else { return nil }
                return try body(transaction)
            }
        } catch {
            throw .store(error)
        }
        guard let value else { throw .gone }
        return value
    }

    /// Returns fixes of the device up to the given one, the newest first; none if they no longer
    /// belong to the device.
    func fixes(upTo last: FixID, count: Int, of device: DeviceID) throws(ExportError) -> [FixRow] {
        try read { transaction in
            try transaction.fixes(upTo: last, count: count).filter { $0.device == device }
        }
    }
}
