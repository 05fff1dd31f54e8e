internal import Store
internal import Tracking

/// Reads in short transactions: a long one would keep the bridge's log from being cut. So every
/// one looks first whether the user is still there.
struct Reader {
    let store: Store
    let user: UserRow

    func read<Value>(
        _ body: (Transaction) throws(StoreError) -> Value
    ) throws(ExportError) -> Value {
        let value: Value?
        do throws(StoreError) {
            value = try store.transaction { transaction throws(StoreError) in
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

    /// Fixes of the device up to one of them, the newest first; none where they are not the
    /// device's any more.
    func fixes(upTo last: FixID, count: Int, of device: DeviceID) throws(ExportError) -> [FixRow] {
        try read { transaction throws(StoreError) in
            try transaction.fixes(upTo: last, count: count).filter { $0.device == device }
        }
    }
}
