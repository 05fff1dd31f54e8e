/// The kind of an account's owner. Names are unique across all kinds.
public enum AccountKind: String, Hashable, Sendable, CaseIterable {
    case person
    /// A third party that offers services.
    case company
    /// A company's service: its only device is the service's program.
    case service
}

extension Name {
    /// The device name of a service's program.
    public static let serviceProgram: Name = {
        guard let name = Name("service") else { preconditionFailure("it is a name") }
        return name
    }()
}
