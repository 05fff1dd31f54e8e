/// A problem for the operator to investigate although the service runs, with the same name in the
/// status, `/healthz`, the metrics, the log and `kith doctor`.
public enum Concern: String, CaseIterable, Hashable, Sendable {
    case backupOld = "backup-old"
    case brokerLost = "broker-lost"
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
    case rightsBehind = "rights-behind"
    case textUnreadable = "text-unreadable"
    case workLeftOut = "work-left-out"

    /// The backup age that raises a concern: a day, and two hours for a late timer.
    public static let backupAge = Duration.seconds(26 * 3_600)

    /// The remaining certificate validity that raises a concern.
    public static let certificateLeft = Duration.seconds(14 * 86_400)

    /// A sentence without its full stop.
    public var text: String {
        switch self {
        case .backupOld: "The last backup is more than 26 hours old"
        case .brokerLost: "The bridge cannot reach one of several brokers"
        case .brokerUnreachable: "The bridge cannot reach the broker, and no one is served"
        case .callsOnly: "The disk is full, and the database stores only calls for help"
        case .cannotStore:
            "The database stores nothing; groups receive SOS requests, and all else waits at the broker"
        case .noBackup: "There is no backup"
        case .certificateEnded: "The certificate has expired, and phones cannot connect"
        case .certificateEnding: "The certificate expires within two weeks"
        case .clockAhead:
            "The clock is more than a day ahead of when Kith last ran, and nothing is deleted for its age"
        case .clockBehind:
            "The clock shows an earlier time than when Kith last ran, or than most phones do"
        case .databaseDamaged:
            """
            The database is damaged; a request that touches the damage is rejected, and a position \
            or a call for help waits
            """
        case .directoryDown:
            "The directory does not answer, and no one can log in with its passwords"
        case .diskLow: "The disk is almost full"
        case .dispatchAbsent:
            "People's vital signs are watched, but no dispatch client is connected"
        case .drillUnanswered: "A way to dispatch did not answer in the last drill"
        case .mailFailing: "The mail server does not accept mail"
        case .mapUnreadable: "The page runs without its map, which cannot be read"
        case .monitoringIdle: "People's vital signs are watched, but none have arrived for a minute"
        case .operatorUnreachable: "A message to the operator cannot be sent"
        case .pluginOutdated: "The broker runs another version of the plugin"
        case .pushFailing: "Push services cannot be reached"
        case .rightsBehind:
            "A gate does not receive changes of rights, and its broker nothing that depends on them"
        case .textUnreadable:
            "The page runs without a text of web.terms or web.privacy, which cannot be read"
        case .workLeftOut:
            "The bridge skips some of its work, which repeatedly crashed it"
        }
    }

    /// The remedy.
    public var wayOut: String {
        switch self {
        case .backupOld: "run kith backup FILE, and check why its timer did not"
        case .brokerLost: "read its log, which names the broker (docs/cluster.md)"
        case .brokerUnreachable: "read the broker's log, and run kith doctor"
        case .callsOnly: "free disk space: docs/production.md, Disk"
        case .cannotStore: "kith doctor shows why, and docs/production.md what to do"
        case .noBackup: "run kith backup FILE, and set up a timer for it (docs/production.md)"
        case .certificateEnded, .certificateEnding:
            "renew certificates/server.crt; Kith's own is renewed automatically if it has its authority"
        case .clockAhead: "set it (timedatectl), or wait a day if it is right"
        case .clockBehind:
            "set it (timedatectl): until then times are wrong, and timers fire late"
        case .databaseDamaged:
            "stop Kith, kith restore the last backup (docs/upgrading.md), and check the disk"
        case .directoryDown: "read the log and docs/ldap.md"
        case .diskLow: "free disk space, or keep less (retention in docs/configuration.md)"
        case .dispatchAbsent:
            "connect its program as kith:dispatch (docs/emergency.md), or set emergency.dispatchAreas"
        case .drillUnanswered: "kith emergency drill shows which"
        case .mailFailing:
            "check mail.host, mail.username and mail.from, and the mail server's own log"
        case .mapUnreadable, .textUnreadable: "kith check-config shows which file, and why"
        case .monitoringIdle: "check their phones and the network"
        case .operatorUnreachable: "kith test operator shows why"
        case .pluginOutdated: "restart the broker"
        case .pushFailing: "allow this machine to reach them over HTTPS"
        case .rightsBehind: "start kith serve on each broker's machine (docs/cluster.md)"
        case .workLeftOut: "find out which in its log, and report it; the next start tries it again"
        }
    }

    /// Whether it is in `/healthz`, which anyone may read: some of the others would reveal when
    /// help does not come.
    public var isPublic: Bool {
        switch self {
        case .clockAhead, .clockBehind, .databaseDamaged, .mapUnreadable, .textUnreadable:
            true
        default: false
        }
    }
}
