internal import Glibc

extension StoreError {
    /// SQLite's codes: https://sqlite.org/rescode.html.
    public var cause: Cause {
        if code == StoreError.movedCode { return .moved }
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

    /// `SQLITE_READONLY_DBMOVED`.
    private static let movedCode: Int32 = 1032

    /// The error as it counts if this was the system's: SQLite reports a used-up quota, and a disk that can
    /// only be read, as any error of the disk.
    ///
    /// - Parameter system: the number of the system's error, which is only looked at for errors of
    ///   the disk.
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
