/// Whose account it is. Names are given once, whatever their accounts are.
public enum AccountKind: String, Hashable, Sendable, CaseIterable {
    case person
    /// A third party that offers services.
    case company
    /// A company's service: its one device is the service's program.
    case service
}

extension Name {
    /// The device as which a service's program is known.
    public static let serviceProgram: Name = {
        guard let name = Name("service") else { preconditionFailure("it is a name") }
        return name
    }()
}
