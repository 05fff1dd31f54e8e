internal import Contract

/// Who pays for what is done for a visitor: a person with all devices, or a service.
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
