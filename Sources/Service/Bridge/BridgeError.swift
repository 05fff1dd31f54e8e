internal import Glibc
internal import Store

/// The reason why the bridge or a command cannot run, as a sentence.
public struct BridgeError: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// Another bridge decides by now; this one may stand by.
    static let superseded = BridgeError("Another bridge decides on this database.")

    /// The database on a server could not be read at the beginning.
    static let interrupted = BridgeError("The database server does not answer.")

    init(_ error: StoreError) {
        self.init("The database cannot be used: \(StorageFailure(error).sentence) (\(error.code)).")
    }

    /// An error with the current `errno` as its reason.
    package static func system(_ what: String) -> BridgeError {
        BridgeError("\(what): \(String(cString: strerror(errno))).")
    }
}
