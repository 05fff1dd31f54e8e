package import Store

/// The reason why the database cannot be written to.
package enum StorageFailure: String, Sendable {
    // The reasons as in the status message.
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
            case .diskFull, .serverFull: .diskFull
            case .readOnly: .readOnly
            case .diskError: .diskError
            case .unreachable: .unreachable
            case .moved: .gone
            case .damaged: .damaged
            case .locked, .superseded: .locked
            case .tooNew: .tooNew
            case .input, .other: .other
            }
    }

    /// A sentence without its full stop.
    package var sentence: String {
        switch self {
        case .diskFull: "the disk is full"
        case .readOnly: "its file, or the disk, is read-only"
        case .diskError: "the disk reports errors, or a limit on file sizes is reached"
        case .unreachable: "its file cannot be opened, or its server cannot be reached"
        case .gone: "its file was removed or replaced"
        case .damaged: "its file is damaged, or is not a database"
        case .locked: "another program has locked it"
        case .tooNew: "it was made by a newer version of Kith"
        case .other: "it reports an error"
        }
    }
}
