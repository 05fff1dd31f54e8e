extension StoreError {
    /// PostgreSQL's codes: https://www.postgresql.org/docs/15/errcodes-appendix.html. Its messages
    /// may contain data of a row, and are not kept.
    init(_ operation: Operation, sqlState: String) {
        let cause: Cause =
            switch (sqlState.prefix(2), sqlState) {
            case (_, "53100"): .serverFull
            case (_, "25006"): .readOnly
            case (_, "58030"): .diskError
            case ("XX", "XX001"), ("XX", "XX002"): .damaged
            // The logarithm of zero, by which a bridge notices that another decides.
            case (_, "2201E"): .superseded
            case (_, "55P03"), (_, "57014"), ("40", _): .locked
            // The connection, its authorisation, the resources of the server, a shutdown.
            case ("08", _), ("28", _), ("53", _), ("57", _), ("58", _), ("", _): .unreachable
            // A value out of range, a violated constraint, a row that is too large.
            case ("22", _), ("23", _), ("54", _): .input
            default: .other
            }
        self.init(
            operation, cause, sqlState.isEmpty ? "no answer" : "PostgreSQL's error \(sqlState)")
    }

    /// An error that another driver than SQLite's reports: it has the code that SQLite has for this
    /// cause.
    init(_ operation: Operation, _ cause: Cause, _ reason: String) {
        let code: Int32 =
            switch cause {
            case .diskFull: 13
            case .serverFull: StoreError.serverFullCode
            case .readOnly: 8
            case .diskError: 10
            case .unreachable, .moved: 14
            case .damaged: 11
            case .locked: 5
            case .superseded: StoreError.supersededCode
            case .input: 19
            case .tooNew, .other: 1
            }
        self.init(operation, code: code, reason: reason)
    }
}
