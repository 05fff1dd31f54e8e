internal import Tracking

/// Something that the service can be asked for: a row of the table of methods.
///
/// Who may ask, how the fields are read, the routes of HTTP, what the page sends again, what a
/// repetition is, what the demo leaves open and the reference's table follow from it. No other
/// list of methods is kept.
public struct Method: Sendable, CustomStringConvertible {
    /// As it stands in topics and addresses: `group.create`.
    public let name: String
    public let effect: Effect
    /// What may be sent, and what is answered; one for each way to ask for it.
    public let forms: [Form]
    let guest: GuestReader?
    let user: UserReader?
    private let traits: Traits

    /// What it does to what there is.
    public enum Effect: Sendable {
        /// Nothing: it may be asked again without an id.
        case reads
        /// Done twice in succession, it is as if it had been done once.
        case changes
        /// Done twice, it makes something twice.
        case makes
    }

    public struct Traits: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Who watches the demo, with an account that everybody shares, may use it.
        public static let demo = Traits(rawValue: 1)
        /// It carries a password, of which nothing is kept.
        public static let password = Traits(rawValue: 2)
        /// The operator's commands have it, too, with fields of their own.
        public static let operators = Traits(rawValue: 4)
    }

    /// Who may ask for something.
    public struct Askers: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Somebody who is not logged in.
        public static let guest = Askers(rawValue: 1)
        /// A user's device.
        public static let user = Askers(rawValue: 2)
        /// Who runs the installation, with `kith user` and `kith group`.
        public static let `operator` = Askers(rawValue: 4)
    }

    /// For the reference.
    public struct Form: Sendable {
        public let request: String
        public let result: String

        public init(_ request: String, gives result: String) {
            self.request = request
            self.result = result
        }
    }

    /// What the reading of a request depends on besides its fields.
    struct Circumstances {
        let now: Timestamp
        let limits: FixLimits
    }

    /// Reads the fields; nil where one was refused.
    typealias UserReader = @Sendable (inout Fields, Circumstances) -> Command.Action?
    typealias GuestReader = @Sendable (inout Fields) -> GuestCommand?

    /// - Parameter user: reads what a user asks; nil where only the operator does.
    init(
        _ name: String, _ effect: Effect, _ traits: Traits, _ forms: Form...,
        user: UserReader? = nil
    ) {
        (self.name, self.effect, self.traits, self.forms) = (name, effect, traits, forms)
        (self.user, guest) = (user, nil)
    }

    init(
        _ name: String, _ effect: Effect, _ traits: Traits, _ forms: Form...,
        guest: @escaping GuestReader
    ) {
        (self.name, self.effect, self.traits, self.forms) = (name, effect, traits, forms)
        (user, self.guest) = (nil, guest)
    }

    public var description: String { name }

    public var askers: Askers {
        var askers: Askers = []
        if guest != nil { askers.insert(.guest) }
        if user != nil { askers.insert(.user) }
        if traits.contains(.operators) { askers.insert(.operator) }
        return askers
    }

    public var isRead: Bool { effect == .reads }
    public var isForDemo: Bool { traits.contains(.demo) }
    public var hasPassword: Bool { traits.contains(.password) }
}
