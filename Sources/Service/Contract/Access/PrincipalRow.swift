/// A row of the table of principals: what depends on the kind of a principal alone.
///
/// What it may receive, publish, retain and leave as its last will is in the topic table
/// (``TopicRow``). The numbers of the limits are in the gate's settings.
public final class PrincipalRow: Sendable {
    /// The beginning of its usernames, before a name or an id; others may not use client ids that
    /// begin with it. Empty for devices, which connect with their user's name, and for guests.
    public let prefix: String
    /// Its role in the topic table; nil if it has several: those of the names in the topic.
    public let role: TopicRow.Party?
    /// Whether it has that role in the groups of its grant's ``AccessFacts``.
    public let isOfGroups: Bool
    public let charge: Charge
    public let session: Lasting
    /// Whether the gate reports its connections to the bridge (``ConnectionReport/Party``).
    public let isReported: Bool
    /// Whether it is a part of the installation, which connects however many others do, and even if
    /// rights cannot be read, when it may only report or read reports. Its payloads have no
    /// maximum, and it also receives messages about deleted accounts.
    public let isOurs: Bool
    /// Whether the page accepts its token.
    public let usesPage: Bool

    /// The allowances used by its connections and messages, and the parties whose connections are
    /// limited, besides those of each ``RightsHolder``. A client that exceeds an allowance is
    /// paused, or closed.
    public enum Charge: Sendable {
        /// None, without limits.
        case nothing
        /// A small one of its own, and that of all guests at its address: what exceeds them, or the
        /// size of a guest's payload, closes the connection. The places for guests are limited.
        case address
        /// Its own, as large as a device's.
        case itself
        /// Its own and its user's.
        case user
        /// Its own, the one for all of its maker's, which are together one more device, and its
        /// maker's.
        case asDevice
        /// Its own, and the one for all of its maker's, which are together one more person:
        /// strangers' actions are not charged to the maker.
        case asPerson
    }

    /// The client id of its session that may outlast the connection, with messages queued at the
    /// broker.
    public enum Lasting: Sendable {
        /// It has no such session: queues for tokens on other machines could fill the broker.
        case never
        /// `{user}.{device}`; the queued messages are limited.
        case ofDevice
        /// Any that begins with the username and a dot.
        case ofProgram
    }

    fileprivate init(
        prefix: String = "", _ role: TopicRow.Party? = nil, isOfGroups: Bool = false,
        charges charge: Charge, session: Lasting = .never, isReported: Bool = false,
        isOurs: Bool = false, usesPage: Bool = false
    ) {
        (self.prefix, self.role, self.isOfGroups) = (prefix, role, isOfGroups)
        (self.charge, self.session, self.isReported) = (charge, session, isReported)
        (self.isOurs, self.usesPage) = (isOurs, usesPage)
    }
}

// MARK: The table

extension PrincipalRow {
    static let guest = PrincipalRow(.thatGuest, charges: .address, isReported: true)
    static let device = PrincipalRow(
        charges: .user, session: .ofDevice, isReported: true, usesPage: true)
    static let service = PrincipalRow(prefix: "service:", charges: .itself, usesPage: true)

    static let share = PrincipalRow(
        prefix: "share:", .viewers, charges: .asPerson, usesPage: true)
    static let observer = PrincipalRow(
        prefix: "observer:", .observers, isOfGroups: true, charges: .asDevice)

    static let all =
        [guest, device, service] + Grant.Kind.allCases.map(\.row)
        + Principal.System.allCases.map(\.row)

    /// The beginnings of client ids that only their owners may use.
    public static let prefixes = Set(all.map(\.prefix)).subtracting([""])
}

extension Grant.Kind {
    public var row: PrincipalRow {
        switch self {
        case .share: .share
        case .observer: .observer
        }
    }
}

extension PrincipalRow {
    static let bridge = ours(.bridge, charges: .nothing, session: .ofProgram)
    static let `operator` = ours(.operator, charges: .nothing, session: .ofProgram)
    static let dispatch = ours(
        .dispatch, charges: .nothing, session: .ofProgram, isReported: true)
    // Its token is on another machine.
    static let metrics = ours(.metrics, charges: .itself)

    private static func ours(
        _ role: TopicRow.Party, charges charge: Charge, session: Lasting = .never,
        isReported: Bool = false
    ) -> PrincipalRow {
        PrincipalRow(
            prefix: Principal.System.beginning, role, charges: charge, session: session,
            isReported: isReported, isOurs: true, usesPage: true)
    }
}

extension Principal.System {
    var row: PrincipalRow {
        switch self {
        case .bridge: .bridge
        case .operator: .operator
        case .dispatch: .dispatch
        case .metrics: .metrics
        }
    }
}

extension Principal {
    /// What depends on its kind.
    public var row: PrincipalRow {
        switch self {
        case .guest: .guest
        case .device: .device
        case .service: .service
        case .bearer(let grant): grant.kind.row
        case .system(let system): system.row
        }
    }
}
