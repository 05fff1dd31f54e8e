public import Tracking

/// Something that the service can be asked to do: a row of the table of methods.
///
/// From it follow who may ask, how the fields are read, the HTTP routes, what the page sends again,
/// how repetitions are treated, what the demo allows and the reference's table. There is no other
/// list of methods.
public struct Method: Sendable, CustomStringConvertible {
    /// The name as it appears in topics and addresses: `group.create`.
    public let name: String
    public let effect: Effect
    /// The members that may be sent, one list for each way to ask.
    public let ways: [[Schema.Member]]
    /// What is answered, for the reference: one text for all ways to ask, or one for each.
    public let results: [String]
    /// The most entries of lists in memory that one request looks at, and of what; nil if it looks
    /// into none.
    public let looksAt: String?
    /// The daily quotas that asking a user's request counts against: it is refused once one of them
    /// is used up. None for what protects a person or takes something away.
    public let quotas: [Usage.Kind]
    /// The type of a user's command; nil if users cannot ask.
    public let content: (any AreaCommand.Type)?
    let guest: Form<GuestCommand>?
    let user: UserReader?
    private let traits: Traits

    /// The effect of a method on what is stored.
    public enum Effect: Sendable {
        /// None: it may be asked again without an id.
        case reads
        /// Idempotent: doing it twice in succession is the same as doing it once.
        case changes
        /// Not idempotent: done twice, it creates something twice.
        case makes
    }

    public struct Traits: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Available to visitors of the demo, who share one account.
        public static let demo = Traits(rawValue: 1)
        /// Carries a password or another secret, of which nothing is kept: it does not wait, and the
        /// broker keeps it sealed.
        public static let password = Traits(rawValue: 2)
        /// Also exists as an operator's command, with fields of its own.
        public static let operators = Traits(rawValue: 4)
        /// Its answer holds a secret, and is kept nowhere: it goes with QoS 0 to who is connected,
        /// and asked again, it may be another one.
        public static let secretAnswer = Traits(rawValue: 8)
        /// For companies as well.
        public static let companies = Traits(rawValue: 16)
        /// For services as well.
        public static let services = Traits(rawValue: 32)
        /// Not for people.
        public static let notPeople = Traits(rawValue: 64)
        /// Done at once, whatever else its sender has caused.
        public static let urgent = Traits(rawValue: 128)
        /// The operator's command on the machine itself, and not a request: with it one becomes
        /// somebody else, who does not notice.
        public static let onMachine = Traits(rawValue: 256)
        /// Done on a full disk as well: a call for help, its end and its answer, and logging in,
        /// which those who call or come to help may have to do first.
        public static let onFullDisk = Traits(rawValue: 512)
        /// Creates an account for somebody who has none.
        public static let registers = Traits(rawValue: 1024)
    }

    /// The kinds of principals that may ask.
    public struct Askers: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Somebody who is not logged in.
        public static let guest = Askers(rawValue: 1)
        /// A user's device.
        public static let user = Askers(rawValue: 2)
        /// The operator of the installation, with `kith user` and `kith group`, or a request.
        public static let `operator` = Askers(rawValue: 4)
    }

    /// What reading a request depends on besides its fields.
    struct Circumstances {
        let now: Timestamp
        let limits: FixLimits
    }

    /// Reads the fields; nil if one was refused.
    typealias UserReader = @Sendable (inout Fields, Circumstances) -> (any AreaCommand)?

    /// - Parameters:
    ///   - form: of a user's request.
    ///   - guest: of a request of somebody who is not logged in, if they may ask as well.
    init<Content: AreaCommand>(
        _ name: String, _ effect: Effect, _ traits: Traits,
        against quotas: [Usage.Kind] = [.answers], _ form: Form<Content>,
        guest: Form<GuestCommand>? = nil, gives results: String..., looksAt: String? = nil
    ) {
        (self.name, self.effect, self.traits, self.quotas) = (name, effect, traits, quotas)
        (ways, self.results, self.looksAt) = (form.ways, results, looksAt)
        (content, self.guest) = (Content.self, guest)
        user = { form.read(&$0, $1) }
    }

    /// A method for those who are not logged in.
    init(
        _ name: String, _ effect: Effect, _ traits: Traits, guest: Form<GuestCommand>,
        gives results: String...
    ) {
        (self.name, self.effect, self.traits, quotas) = (name, effect, traits, [])
        (ways, self.results, looksAt) = (guest.ways, results, nil)
        (content, user, self.guest) = (nil, nil, guest)
    }

    /// A method that exists only as a command of the operator, which `OperatorCommand` reads.
    init(_ name: String, _ effect: Effect, _ traits: Traits) {
        (self.name, self.effect, self.traits, quotas) = (name, effect, traits, [])
        (ways, results, looksAt) = ([], [], nil)
        (content, user, guest) = (nil, nil, nil)
    }

    public var description: String { name }

    public var askers: Askers {
        var askers: Askers = []
        if guest != nil { askers.insert(.guest) }
        if user != nil { askers.insert(.user) }
        if traits.contains(.operators) { askers.insert(.operator) }
        return askers
    }

    /// Whose accounts have it.
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
    /// Whether the operator may ask over MQTT and HTTP, and not only by a command on the machine.
    public var isOperatorsRequest: Bool {
        traits.contains(.operators) && !traits.contains(.onMachine)
    }
    public var isDoneOnFullDisk: Bool { isRead || isUrgent || traits.contains(.onFullDisk) }
    public var registers: Bool { traits.contains(.registers) }
    public var hasSecretAnswer: Bool { traits.contains(.secretAnswer) }
}
