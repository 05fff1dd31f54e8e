package import Store

/// The reason why the database cannot be written to.
package enum StorageFailure: String, Sendable {
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

    package init(_ error: StoreError) {
        self =
            switch error.cause {
            case .diskFull: .diskFull
            case .readOnly: .readOnly
            case .diskError: .diskError
            case .unreachable: .unreachable
            case .moved: .gone
            case .damaged: .damaged
            case .locked: .locked
            case .tooNew: .tooNew
            case .input, .other: .other
            }
    }

    /// A sentence without its full stop.
    package var sentence: String {
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
