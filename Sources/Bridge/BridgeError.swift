internal import Glibc
internal import Store

/// Why the bridge, or a command, cannot run, as a sentence.
public struct BridgeError: Error, CustomStringConvertible, Sendable {
    public let description: String
    package init(_ description: String) { self.description = description }

    init(_ error: StoreError) {
        self.init("The database cannot be used: \(StorageFailure(error).sentence) (\(error.code)).")
    }

    /// An error with the reason that the system has just given.
    package static func system(_ what: String) -> BridgeError {
        BridgeError("\(what): \(String(cString: strerror(errno))).")
    }
}
