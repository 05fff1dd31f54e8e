public import Store

/// Why a person's data cannot be read, or not completely.
public enum ExportError: Error, Sendable, CustomStringConvertible {
    case unknownUser
    /// The account was deleted while it was being read.
    case gone
    case store(StoreError)

    public var description: String {
        switch self {
        case .unknownUser: "There is no user with that name."
        case .gone: "The account was deleted in the meantime."
        case .store(let error): error.description
        }
    }
}
