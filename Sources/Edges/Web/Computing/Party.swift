internal import Contract

/// The party charged for a visitor's work: a person with all devices, or a service.
enum Party: Hashable, Sendable {
    case person(Name)
    case other(Visitor)

    init(_ visitor: Visitor) {
        if case .device(let token) = visitor {
            self = .person(token.user)
        } else {
            self = .other(visitor)
        }
    }
}
