/// Something that an operator has to look into although the service goes on, by one name in the
/// status, `/healthz`, the metrics, the log and `kith doctor`.
public enum Concern: String, CaseIterable, Hashable, Sendable {
    case backupOld = "backup-old"
    case brokerUnreachable = "broker-unreachable"
    case callsOnly = "calls-only"
    case cannotStore = "cannot-store"
    case certificateEnded = "certificate-ended"
    case certificateEnding = "certificate-ending"
    case clockAhead = "clock-ahead"
    case clockBehind = "clock-behind"
    case databaseDamaged = "database-damaged"
    case directoryDown = "directory-down"
    case diskLow = "disk-low"
    case dispatchAbsent = "dispatch-absent"
    case drillUnanswered = "drill-unanswered"
    case mailFailing = "mail-failing"
    case mapUnreadable = "map-unreadable"
    case monitoringIdle = "monitoring-idle"
    case noBackup = "no-backup"
    case operatorUnreachable = "operator-unreachable"
    case pluginOutdated = "plugin-outdated"
    case pushFailing = "push-failing"
    case textUnreadable = "text-unreadable"
    case workLeftOut = "work-left-out"

    /// An older backup is one: a day, and two hours for a timer that is late.
    public static let backupAge = Duration.seconds(26 * 3_600)

    /// A certificate that ends sooner is one.
    public static let certificateLeft = Duration.seconds(14 * 86_400)

    /// A sentence without its full stop.
    public var text: String {
        switch self {
        case .backupOld: "The last backup is more than 26 hours old"
        case .brokerUnreachable: "The bridge does not reach the broker, and nobody is served"
        case .callsOnly: "The disk is full, and the database takes in calls for help alone"
        case .cannotStore: "The database takes nothing in, and calls for help wait at the broker"
        case .noBackup: "There is no backup"
        case .certificateEnded: "The certificate has expired, and phones do not connect"
        case .certificateEnding: "The certificate expires within two weeks"
        case .clockAhead:
            "The clock is more than a day ahead of when Kith last ran, and nothing is deleted for its age"
        case .clockBehind:
            "The clock shows an earlier time than when Kith last ran, or than most phones do"
        case .databaseDamaged:
            """
            The database is damaged; a request that touches the damage is refused, and a position \
            or a call for help waits
            """
        case .directoryDown:
            "The directory does not answer, and nobody can log in with its passwords"
        case .diskLow: "Little room is left on the disk"
        case .dispatchAbsent:
            "People's vital signs are watched, and nobody is connected as dispatch to be called"
        case .drillUnanswered: "In the last drill a way to dispatch did not answer"
        case .mailFailing: "The mail server takes no mail"
        case .mapUnreadable: "The page runs without its map, which cannot be read"
        case .monitoringIdle: "People's vital signs are watched, and none have come for a minute"
        case .operatorUnreachable: "A message to the operator cannot be sent"
        case .pluginOutdated: "The broker runs the plugin of another version"
        case .pushFailing: "Push services cannot be reached"
        case .textUnreadable:
            "The page runs without a text of web.terms or web.privacy, which cannot be read"
        case .workLeftOut:
            "The bridge leaves out some of its work, over which it had ended again and again"
        }
    }

    /// What to do about it.
    public var wayOut: String {
        switch self {
        case .backupOld: "kith backup FILE, and see why its timer did not"
        case .brokerUnreachable: "read what the broker says, and kith doctor"
        case .callsOnly: "make room: docs/production.md, Disk"
        case .cannotStore: "kith doctor says why, and docs/production.md what to do"
        case .noBackup: "kith backup FILE, and a timer for it (docs/production.md)"
        case .certificateEnded, .certificateEnding:
            "renew certificates/server.crt; one of Kith's own is renewed by itself if its authority is there"
        case .clockAhead: "set it (timedatectl), or wait for a day if it is right"
        case .clockBehind:
            "set it (timedatectl): times are wrong until then, and what is due by them comes late"
        case .databaseDamaged:
            "stop Kith, kith restore the last backup (docs/upgrading.md), and look at the disk"
        case .directoryDown: "read what the log says about it, and docs/ldap.md"
        case .diskLow: "make room, or keep less (retention in docs/configuration.md)"
        case .dispatchAbsent:
            "connect its program as kith:dispatch (docs/emergency.md), or set emergency.dispatchAreas"
        case .drillUnanswered: "kith emergency drill says which"
        case .mailFailing:
            "see mail.host, mail.username and mail.from, and what the mail server's own log says"
        case .mapUnreadable, .textUnreadable: "kith check-config says which file, and why"
        case .monitoringIdle: "look at their phones, and at the network"
        case .operatorUnreachable: "kith test operator says why"
        case .pluginOutdated: "restart the broker"
        case .pushFailing: "let this machine reach them over HTTPS"
        case .workLeftOut: "read in its log which, and report it; the next start tries it again"
        }
    }

    /// Whether it is in `/healthz`, which everybody may read: of the others, some would tell when help
    /// does not come.
    public var isPublic: Bool {
        switch self {
        case .clockAhead, .clockBehind, .databaseDamaged, .mapUnreadable, .textUnreadable:
            true
        default: false
        }
    }
}
