/// Keeps a ``RightsFile`` up to date with a database's transactions.
final class FiledRights {
    private let driver: any Driver
    private let database: String
    private let installation: [UInt8]
    private var file: RightsFile
    /// The number of the last change that the file has.
    private var last: Int64
    /// Whether the file may lack a transaction that was committed.
    private var isBehind = true
    /// ``Driver/connections`` when the file was last compared with the database.
    private var connections = 0

    /// Brings the file up to date. Several processes may do so with the same file.
    init(of driver: any Driver, besides database: String) throws(StoreError) {
        (self.driver, self.database) = (driver, database)
        let transaction = Transaction(driver: driver)
        let installation = try driver.transaction { () throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try transaction.serviceKey(
                FiledRights.key, FiledRights.keyLength, using: &random)
        }
        self.installation = installation
        if let file = try RightsFile.opened(besides: database, of: installation) {
            self.file = file
        } else {
            file = try FiledRights.make(besides: database, of: installation, from: driver)
        }
        last = try file.lastChange()
        try catchUp()
    }

    /// The name of the database's random mark, which a restored one does not share with the one
    /// that it replaces.
    static let key = "installation"
    static let keyLength = 16

    private static func make(
        besides database: String, of installation: [UInt8], from driver: any Driver
    ) throws(StoreError) -> RightsFile {
        let transaction = Transaction(driver: driver)
        return try RightsFile.made(besides: database, of: installation) { file throws(StoreError) in
            try driver.transaction { () throws(StoreError) in try transaction.fill(file) }
        }
    }

    /// Runs a transaction of the database, and then changes the file: when this returns, the gate
    /// has the rights that were committed.
    func transaction<Value>(_ body: (Transaction) throws -> Value) throws(StoreError) -> Value {
        if isBehind || connections != driver.connections || file.isReplaced { try catchUp() }
        let notes = RightsNotes()
        let transaction = Transaction(driver: driver, notes: notes)
        let last = last
        do throws(StoreError) {
            let (value, update) = try driver.transaction { () throws(StoreError) in
                let value = try StoreError.only { try body(transaction) }
                guard !notes.isEmpty else { return (value, nil as RightsUpdate?) }
                try driver.announceRights()
                return (value, try transaction.rightsUpdate(notes, after: last))
            }
            if let update { try apply(update) }
            return value
        } catch {
            // It may have been committed.
            isBehind = true
            throw error
        }
    }

    /// Does what the bridge that decides has committed, on another machine; may be repeated if it
    /// fails.
    func follow() throws(StoreError) {
        try catchUp(isComplete: connections != driver.connections, mayBeDone: true)
    }

    /// Compares the file with the database, and makes it again if it is damaged or has an unknown
    /// state.
    ///
    /// - Parameters:
    ///   - isComplete: whether to look for users who are gone without a change that is known.
    ///   - mayBeDone: whether another process beside this one may have applied the changes.
    private func catchUp(isComplete: Bool = true, mayBeDone: Bool = false) throws(StoreError) {
        if file.isReplaced, try !reopen() {
            try remake()
            connections = driver.connections
            return isBehind = false
        }
        let (transaction, last) = (Transaction(driver: driver), last)
        let update = try driver.transaction { () throws(StoreError) in
            try transaction.rightsUpdate(after: last, isComplete: isComplete)
        }
        if let update {
            let newest = update.changes.last?.number ?? last
            if mayBeDone, !isComplete, newest > last, try has(newest) {
                self.last = newest
            } else {
                try apply(update)
            }
        } else {
            try remake()
        }
        connections = driver.connections
        isBehind = false
    }

    /// Uses the file that another process has put in the place of this one.
    ///
    /// - Returns: false if there is none that can be used.
    private func reopen() throws(StoreError) -> Bool {
        do throws(StoreError) {
            guard let other = try RightsFile.opened(besides: database, of: installation) else {
                return false
            }
            (file, last) = (other, try other.lastChange())
            return true
        } catch {
            throw FiledRights.failure(error)
        }
    }

    private func has(_ number: Int64) throws(StoreError) -> Bool {
        do throws(StoreError) {
            return try file.hasChange(number)
        } catch {
            throw FiledRights.failure(error)
        }
    }

    private func apply(_ update: RightsUpdate) throws(StoreError) {
        do throws(StoreError) {
            last = try file.apply(update)
        } catch {
            if error.cause == .damaged { return try remake() }
            throw FiledRights.failure(error)
        }
    }

    private func remake() throws(StoreError) {
        do throws(StoreError) {
            file = try FiledRights.make(besides: database, of: installation, from: driver)
            last = try file.lastChange()
        } catch {
            throw FiledRights.failure(error)
        }
    }

    /// No message is to blame for a failure of the file.
    private static func failure(_ error: StoreError) -> StoreError {
        switch error.cause {
        case .input, .damaged, .other: StoreError(.commit, .diskError, "the file of rights fails")
        default: error
        }
    }

    /// Whether the file was removed, or another has taken its place.
    var isReplaced: Bool { file.isReplaced }

    /// See ``Store/emptyLogInSteps()``.
    func emptyLogInSteps() -> Bool { file.emptyLogInSteps() }
}
