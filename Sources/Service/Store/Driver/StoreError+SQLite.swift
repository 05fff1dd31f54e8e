internal import Glibc

extension StoreError {
    /// SQLite's codes: https://sqlite.org/rescode.html.
    public var cause: Cause {
        if code == StoreError.movedCode { return .moved }
        if code == StoreError.serverFullCode { return .serverFull }
        if code == StoreError.supersededCode { return .superseded }
        // The low byte is the primary code.
        switch (operation, code & 0xFF) {
        case (_, 13): return .diskFull
        case (_, 8), (_, 3): return .readOnly
        case (_, 10): return .diskError
        case (_, 14): return .unreachable
        case (_, 11), (_, 26), (.decode, _): return .damaged
        case (_, 5), (_, 6): return .locked
        // A violated constraint, a row that is too large, a value out of range.
        case (_, 18), (_, 19), (_, 20), (_, 25): return .input
        case (.migrate, 0): return .tooNew
        default: return .other
        }
    }

    /// The file was moved or removed while it was open.
    public static let moved = StoreError(
        .begin, code: movedCode, reason: "the file was moved or removed")

    /// Not a code of SQLite's.
    static let serverFullCode: Int32 = -13
    static let supersededCode: Int32 = -5

    /// `SQLITE_READONLY_DBMOVED`.
    private static let movedCode: Int32 = 1032

    /// Returns the error corrected by the system's error: SQLite reports a used-up quota, and a
    /// read-only disk, as any disk error.
    ///
    /// - Parameter system: the system's error number, which is only used for disk errors.
    func caused(by system: Int32) -> StoreError {
        guard cause == .diskError else { return self }
        switch system {
        case ENOSPC, EDQUOT:
            return StoreError(operation, code: 13, reason: "database or disk is full")
        case EROFS:
            return StoreError(operation, code: 8, reason: "the disk can only be read")
        default: return self
        }
    }
}
