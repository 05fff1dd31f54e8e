internal import Store

/// The reason why the database cannot be written to.
enum StorageFailure: String, Sendable {
    // The reasons as the status message gives them.
    case diskFull = "disk-full"
    case readOnly = "disk-read-only"
    case diskError = "disk-error"
    case unreachable = "database-unreachable"
    case gone = "database-gone"
    case damaged = "database-damaged"
    case locked = "database-locked"
    case tooNew = "database-too-new"
    case other = "database-error"

    init(_ error: StoreError) {
        // The low byte is the primary code, https://sqlite.org/rescode.html.
        switch (error.operation, error.code & 0xFF) {
        case _ where error.code == 1032: self = .gone
        case (_, 13): self = .diskFull
        case (_, 8), (_, 3): self = .readOnly
        case (_, 10): self = .diskError
        case (_, 14): self = .unreachable
        case (_, 11), (_, 26), (.decode, _): self = .damaged
        case (_, 5), (_, 6): self = .locked
        case (.migrate, 0): self = .tooNew
        default: self = .other
        }
    }

    /// A sentence without its full stop.
    var sentence: String {
        switch self {
        case .diskFull: "the disk is full"
        case .readOnly: "it, or its disk, can only be read"
        case .diskError: "the disk fails, or takes no more"
        case .unreachable: "its file cannot be opened"
        case .gone: "its file is gone, or another has taken its place"
        case .damaged: "it is damaged, or no database"
        case .locked: "another program holds it"
        case .tooNew: "it was made by a newer version of Kith"
        case .other: "SQLite refuses it"
        }
    }
}
