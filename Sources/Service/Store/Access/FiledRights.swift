internal import Tracking

/// Keeps a ``RightsFile`` up to date with a database's transactions.
final class FiledRights {
    private let file: RightsFile
    /// The number of the last change that the file has.
    private var last: Int64
    /// Whether the file may lack a transaction that was committed.
    private var isBehind = false

    /// Brings the file up to date.
    init(of store: Store, besides database: String) throws(StoreError) {
        let installation = try store.transaction { transaction in
            var random = SystemRandomNumberGenerator()
            return try transaction.serviceKey("installation", 16, using: &random)
        }
        file = try RightsFile(besides: database, of: installation)
        let known = try file.lastChange()
        let update = try store.transaction { try $0.rightsUpdate(after: known) }
        try file.apply(update)
        last = update.changes.last?.number ?? known ?? 0
    }

    /// Runs a transaction of the database, and then changes the file: when this returns, the gate
    /// has the rights that were committed.
    func transaction<Value>(
        on driver: any Driver, _ body: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        try catchUp(on: driver)
        let notes = RightsNotes()
        let transaction = Transaction(driver: driver, notes: notes)
        let last = last
        do throws(StoreError) {
            let (value, update) = try driver.transaction { () throws(StoreError) in
                let value = try StoreError.only { try body(transaction) }
                return (
                    value, notes.isEmpty ? nil : try transaction.rightsUpdate(notes, after: last)
                )
            }
            if let update { try apply(update) }
            return value
        } catch {
            // It may have been committed.
            isBehind = true
            throw error
        }
    }

    /// Adds what an earlier failure left out.
    private func catchUp(on driver: any Driver) throws(StoreError) {
        guard isBehind else { return }
        let (transaction, last) = (Transaction(driver: driver), last)
        let update = try driver.transaction { () throws(StoreError) in
            try transaction.rightsUpdate(after: last)
        }
        try apply(update)
    }

    private func apply(_ update: RightsUpdate) throws(StoreError) {
        isBehind = true
        try file.apply(update)
        last = update.changes.last?.number ?? last
        isBehind = false
    }
}
