public import Tracking

/// A request method of the service: a row of the method table.
///
/// Permissions, field parsing, the HTTP routes, the page's retries, the handling of repetitions,
/// the demo's permissions and the reference's table are derived from it. There is no other list of
/// methods.
public struct Method: Sendable, CustomStringConvertible {
    /// The name as it appears in topics and addresses: `group.create`.
    public let name: String
    public let effect: Effect
    /// The members that may be sent, one list for each alternative.
    public let ways: [[Schema.Member]]
    /// The result's schema, if the handler writes it by a ``Payload``.
    public let result: Schema?
    /// The results, for the reference: one text for all alternatives, or one for each. The first
    /// explains `result`, and contains a notation where that is nil.
    public let results: [String]
    /// The maximum number of scanned in-memory list entries per request, and their kind; nil if it
    /// scans none.
    public let looksAt: String?
    /// The daily quotas that a user's request counts against: it is refused once one of them is
    /// used up. None for requests that protect a person or remove something.
    public let quotas: [Usage.Kind]
    /// The type of a user's command; nil if users cannot use the method.
    public let content: (any AreaCommand.Type)?
    /// The same of a command without login.
    public let guestContent: (any AreaGuestCommand.Type)?
    /// The same of an operator's command.
    public let operatorContent: (any AreaOperatorCommand.Type)?
    /// The members of an operator's command.
    public let operatorWays: [[Schema.Member]]
    let user: UserReader?
    let guest: GuestReader?
    let operators: OperatorReader?
    private let traits: Traits

    /// The effect of a method on stored data.
    public enum Effect: Sendable {
        /// None: it may be repeated without an id.
        case reads
        /// Idempotent: doing it twice in succession is the same as doing it once.
        case changes
        /// Not idempotent: repeating it creates a duplicate.
        case makes
    }

    public struct Traits: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Available to visitors of the demo, who share one account.
        public static let demo = Traits(rawValue: 1)
        /// Carries a password or another secret, which is never stored: it does not wait, and the
        /// broker keeps it sealed.
        public static let password = Traits(rawValue: 2)
        /// Its answer contains a secret, and is not stored: it is sent with QoS 0 to the connected
        /// client, and may differ when the request is repeated.
        public static let secretAnswer = Traits(rawValue: 8)
        /// Also for companies.
        public static let companies = Traits(rawValue: 16)
        /// Also for services.
        public static let services = Traits(rawValue: 32)
        /// Not for people.
        public static let notPeople = Traits(rawValue: 64)
        /// Done immediately, regardless of its sender's budget.
        public static let urgent = Traits(rawValue: 128)
        /// The operator's command on the machine itself, and not a request: it allows impersonating
        /// a user unnoticed.
        public static let onMachine = Traits(rawValue: 256)
        /// Also done on a full disk: a call for help, its end and its answer, and logging in, which
        /// callers and helpers may have to do first.
        public static let onFullDisk = Traits(rawValue: 512)
        /// Creates an account for a person without one.
        public static let registers = Traits(rawValue: 1024)
    }

    /// The kinds of principals that may use a method.
    public struct Askers: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A client that is not logged in.
        public static let guest = Askers(rawValue: 1)
        /// A user's device.
        public static let user = Askers(rawValue: 2)
        /// The operator of the installation, with `kith` on its machine, or a request.
        public static let `operator` = Askers(rawValue: 4)
    }

    /// The inputs for reading a request besides its fields.
    struct Circumstances {
        let now: Timestamp
        let limits: FixLimits
    }

    /// Reads the fields; nil if one was refused.
    typealias UserReader = @Sendable (inout Fields, Circumstances) -> (any AreaCommand)?
    typealias GuestReader = @Sendable (inout Fields, Circumstances) -> (any AreaGuestCommand)?
    typealias OperatorReader = @Sendable (inout Fields, Circumstances) -> (any AreaOperatorCommand)?

    /// - Parameters:
    ///   - form: the form of a user's request.
    ///   - guest: the form of a request without login.
    ///   - operators: the form of the operator's command.
    ///   - result: the schema of the payload by which the result is written.
    init<Content: AreaCommand, Guest: AreaGuestCommand, Operators: AreaOperatorCommand>(
        _ name: String, _ effect: Effect, _ traits: Traits,
        against quotas: [Usage.Kind] = [.answers], _ form: Form<Content>,
        guest: Form<Guest>? = Form<Never>?.none, operators: Form<Operators>? = Form<Never>?.none,
        result: Schema? = nil, gives results: String..., looksAt: String? = nil
    ) {
        (self.name, self.effect, self.traits, self.quotas) = (name, effect, traits, quotas)
        (ways, self.looksAt) = (form.ways, looksAt)
        (self.result, self.results) = (result, results)
        (content, user) = (Content.self, { form.read(&$0, $1) })
        if let guest {
            (guestContent, self.guest) = (Guest.self, { guest.read(&$0, $1) })
        } else {
            (guestContent, self.guest) = (nil, nil)
        }
        operatorWays = operators?.ways ?? []
        if let operators {
            (operatorContent, self.operators) = (Operators.self, { operators.read(&$0, $1) })
        } else {
            (operatorContent, self.operators) = (nil, nil)
        }
    }

    /// A method for clients that are not logged in.
    init<Guest: AreaGuestCommand>(
        _ name: String, _ effect: Effect, _ traits: Traits, guest: Form<Guest>,
        result: Schema? = nil, gives results: String...
    ) {
        (self.name, self.effect, self.traits, quotas) = (name, effect, traits, [])
        (ways, looksAt) = (guest.ways, nil)
        (self.result, self.results) = (result, results)
        (content, user, guestContent) = (nil, nil, Guest.self)
        self.guest = { guest.read(&$0, $1) }
        (operatorWays, operatorContent, operators) = ([], nil, nil)
    }

    /// A method that exists only as an operator's command.
    init<Operators: AreaOperatorCommand>(
        _ name: String, _ effect: Effect, _ traits: Traits, operators: Form<Operators>
    ) {
        (self.name, self.effect, self.traits, quotas) = (name, effect, traits, [])
        (ways, result, results, looksAt) = ([], nil, [], nil)
        (content, user, guestContent, guest) = (nil, nil, nil, nil)
        (operatorWays, operatorContent) = (operators.ways, Operators.self)
        self.operators = { operators.read(&$0, $1) }
    }

    public var description: String { name }

    public var askers: Askers {
        var askers: Askers = []
        if guest != nil { askers.insert(.guest) }
        if user != nil { askers.insert(.user) }
        if operators != nil { askers.insert(.operator) }
        return askers
    }

    /// The kinds of accounts that may use it.
    public var kinds: Set<AccountKind> {
        var kinds: Set<AccountKind> = traits.contains(.notPeople) ? [] : [.person]
        if traits.contains(.companies) { kinds.insert(.company) }
        if traits.contains(.services) { kinds.insert(.service) }
        return kinds
    }

    public var isRead: Bool { effect == .reads }
    public var isForDemo: Bool { traits.contains(.demo) }
    public var isUrgent: Bool { traits.contains(.urgent) }
    public var hasPassword: Bool { traits.contains(.password) }
    /// Whether the operator may use it over MQTT and HTTP, and not only by a command on the
    /// machine.
    public var isOperatorsRequest: Bool { operators != nil && !traits.contains(.onMachine) }
    public var isDoneOnFullDisk: Bool { isRead || isUrgent || traits.contains(.onFullDisk) }
    public var registers: Bool { traits.contains(.registers) }
    public var hasSecretAnswer: Bool { traits.contains(.secretAnswer) }
}
