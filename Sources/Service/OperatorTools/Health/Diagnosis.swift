internal import Contract
internal import Numbers
internal import Store
internal import Tracking

/// A matter that an operator has to act on, or may want to, with its remedy.
public struct Trouble: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case trouble
        /// All is well as long as the operator is aware of it.
        case advice
    }

    public var kind: Kind
    /// For programs: stays the same from version to version.
    public var name: String
    public var text: String
    public var wayOut: String

    public var line: String { "\(text): \(wayOut)" }
}

/// The troubles of a condition.
public struct Diagnosis: Sendable {
    public private(set) var troubles: [Trouble] = []
    let condition: Condition

    /// The age above which a copy from before an upgrade is a trouble.
    public static let copyAge = Duration.seconds(30 * 86_400)
    /// The free part of the disk below which it is a trouble, as is less than `disk.warnBelow`.
    public static let leastFreePart = 0.1

    public init(_ condition: Condition) {
        self.condition = condition
        guard condition.directory.isThere else {
            add(
                "no-data", "There is no Kith data in \(condition.directory.path)",
                "specify its directory with --data or KITH_DATA, or run kith up")
            judgeMachine()
            return
        }
        judgeDirectory()
        judgeDatabase()
        judgeBridge()
        judgeBroker()
        judgePage()
        judgeCertificate()
        judgeBackups()
        // A user who may not read the directory cannot know them.
        if condition.directory.isReadable { judgeSettings() }
        judgeMachine()
    }

    /// Whether nothing has to be done.
    public var isFine: Bool { !troubles.contains { $0.kind == .trouble } }

    mutating func add(
        _ name: String, _ text: String, _ wayOut: String, _ kind: Trouble.Kind = .trouble
    ) {
        troubles.append(
            Trouble(kind: kind, name: name, text: text, wayOut: condition.typed(wayOut)))
    }

    /// The command that starts the bridge.
    private var starting: String {
        condition.isPackaged ? command("start", "kith", or: "kith-bridge") : " (kith up)"
    }

    /// Returns the operator's command for a unit of the package: ` (systemctl restart kith)`; empty
    /// without the package.
    ///
    /// - Parameters:
    ///   - unit: the unit if `kith up` runs everything.
    ///   - own: the unit if the part has its own.
    func command(_ verb: String, _ unit: String, or own: String) -> String {
        guard condition.isPackaged else { return "" }
        guard let bridge = condition.bridge else {
            return " (systemctl \(verb) \(unit), or \(own))"
        }
        return " (systemctl \(verb) \(bridge.servesPage ? unit : own))"
    }

    /// The command that shows the bridge's log: ` (journalctl -u kith)`; empty without the package.
    var log: String {
        guard condition.isPackaged else { return "" }
        guard let bridge = condition.bridge else { return " (journalctl -u kith -u kith-bridge)" }
        return " (journalctl -u \(bridge.servesPage ? "kith" : "kith-bridge"))"
    }

    /// - Parameter text: the text known here; nil: the bridge's.
    mutating func add(_ concern: Concern, _ text: String? = nil) {
        guard !troubles.contains(where: { $0.name == concern.rawValue }) else { return }
        add(concern.rawValue, text ?? concern.text, concern.wayOut)
    }

    private mutating func judgeDirectory() {
        let directory = condition.directory
        if !directory.isReadable {
            add(
                "other-user",
                "The data belongs to \(directory.owner), but you are \(directory.asker)",
                condition.isPackaged
                    ? "run kithctl doctor"
                    : "run this as \(directory.owner): sudo -u \(directory.owner) kith doctor")
        }
        if directory.mode & 0o007 != 0 {
            add(
                "directory-open", "Everyone on this machine can access \(directory.path)",
                "chmod o-rwx \(directory.path)")
        }
        if !directory.openFiles.isEmpty {
            add(
                "files-open", "Everyone can read \(Diagnosis.list(directory.openFiles))",
                "chmod o-rwx these files in \(directory.path)")
        }
        if !directory.emptyFiles.isEmpty {
            add(
                "token-empty",
                "Kith does not start without a token in \(Diagnosis.list(directory.emptyFiles))",
                "remove these files in \(directory.path), and the next start creates new ones")
        }
        if !directory.foreignFiles.isEmpty {
            add(
                "wrong-owner",
                "Not all files belong to \(directory.owner): "
                    + Diagnosis.list(directory.foreignFiles),
                "chown -R \(directory.owner): \(directory.path)")
        }
        guard let free = directory.free, let total = directory.total else { return }
        if free < condition.settings.warnBelow
            || Double(free) < Double(total) * Diagnosis.leastFreePart
        {
            add(.diskLow, "The disk has \(free >> 20) MB left of \(total >> 20)")
        }
    }

    static func list<Item>(_ items: [Item]) -> String {
        let names = items.map { "\($0)" }
        let more = names.count > longest ? " and \(names.count - longest) more" : ""
        return names.prefix(longest).joined(separator: ", ") + more
    }

    /// The maximum number of names in a line.
    private static let longest = 5

    /// In bytes: a larger write-ahead log is a trouble, as it is for the log and for the alert
    /// `KithLogGrowing`.
    public static let alarmingLog: Int64 = 256 << 20

    private mutating func judgeDatabase() {
        guard let database = condition.database else {
            guard condition.directory.isReadable else { return }
            if condition.bridge != nil || condition.directory.isUsed {
                add(
                    "database-missing",
                    "The database is missing or empty in \(condition.directory.path), although it has been used",
                    "bring back kith.db, or kith restore the last backup")
            } else {
                add(
                    "no-database", "There is no Kith data in \(condition.directory.path)",
                    "specify its directory with --data or KITH_DATA, or run kith up")
            }
            return
        }
        if let failure = database.failure {
            add(
                "database-unreachable", "The PostgreSQL database cannot be used: \(failure)",
                "check the server, and its address under database in the configuration")
        } else if let schema = database.schema {
            if schema > database.newestSchema {
                add(
                    "schema-newer",
                    "The database is from a newer version (schema \(schema), this program reads \(database.newestSchema))",
                    "install that version, or restore kith.db.before-schema-\(schema)")
            } else if schema < database.newestSchema {
                add(
                    "schema-older",
                    "The database is from an earlier version (schema \(schema), this program has \(database.newestSchema))",
                    (database.isOnServer ? "make a backup, and then " : "")
                        + "restart the bridge\(command("restart", "kith", or: "kith-bridge")), "
                        + (database.isOnServer
                            ? "which upgrades it" : "which copies and upgrades it"),
                    .advice)
            }
        } else if condition.directory.isReadable {
            add(
                "database-unreadable", "The database cannot be read",
                "check the bridge's log, and kith restore the last backup if it is damaged")
        }
        if !database.isWritable, condition.directory.isReadable {
            add(
                "database-read-only", "The database is read-only for \(condition.directory.asker)",
                "make \(condition.directory.path)/kith.db and its disk writable")
        }
        if database.logBytes > Diagnosis.alarmingLog {
            add(
                "log-growing",
                "The database's write-ahead log has \(database.logBytes >> 20) MB: a program has left a read transaction open",
                "end that program (such as sqlite3 in a terminal), and the log is reused")
        }
        for copy in database.copies where copy.madeAt + Diagnosis.copyAge < condition.now {
            add(
                "old-copy", "\(copy.name) still contains data that users have since deleted",
                copy.isFromRestore
                    ? "remove it and files that begin with its name, unless you go back to it"
                    : "remove it unless you go back to the previous version", .advice)
        }
    }

    private mutating func judgeBridge() {
        guard let bridge = condition.bridge else {
            if condition.database != nil {
                add(
                    "no-bridge", "No bridge is running on this data",
                    "start it\(starting), and read its log\(log)")
            }
            return
        }
        if bridge.isReplaced || bridge.build.map({ $0 != condition.program }) ?? false {
            add(
                "bridge-outdated",
                "The running bridge is \(bridge.build?.text ?? "not this program"), but this is \(condition.program.text)",
                "restart it\(command("restart", "kith", or: "kith-bridge"))")
        }
        if let database = condition.database, !database.foreign.isEmpty {
            add(
                "machine-differs",
                "This machine has other \(Diagnosis.list(database.foreign)) than the installation",
                "copy \(Diagnosis.list(database.foreign.map { "\($0)/" })) from the machine that "
                    + "decides (docs/cluster.md)")
        }
        if let decider = condition.database?.decider, bridge.isStandingBy,
            decider.version != condition.program.version
        {
            add(
                "version-differs",
                "The bridge that decides is \(decider.version), and this one \(condition.program.version)",
                "upgrade the other machines, too", .advice)
        }
        if let user = bridge.user, user != condition.directory.owner {
            add(
                "bridge-user",
                "The bridge runs as \(user), but the data belongs to \(condition.directory.owner)",
                "run it as \(condition.directory.owner)")
        }
    }

    private mutating func judgeBackups() {
        guard condition.database != nil else { return }
        guard let last = condition.lastBackup else {
            guard condition.isLastBackupUnreadable else {
                // The bridge also reports this, once there has been time for a backup.
                guard !troubles.contains(where: { $0.name == Concern.noBackup.rawValue }) else {
                    return
                }
                return add(
                    Concern.noBackup.rawValue, Concern.noBackup.text,
                    condition.isPackaged
                        ? "kith-backup.timer makes one every night; or run kith backup FILE now"
                        : Concern.noBackup.wayOut, .advice)
            }
            return add(
                "backup-unknown", "The time of the last backup cannot be read (last-backup)",
                "make one (kith backup FILE), which rewrites it")
        }
        if last + Concern.backupAge < condition.now {
            let hours = (condition.now - last) / .seconds(3_600)
            troubles.removeAll { $0.name == Concern.backupOld.rawValue }
            add(.backupOld, "The last backup is \(Int(clamping: hours)) hours old")
        }
    }

    private mutating func judgeSettings() {
        if let complaint = condition.settings.complaint {
            add("configuration", complaint, "run kith check-config to see where")
        }
        if !condition.settings.sendsMail {
            add(
                "no-mail", "No mail is sent, so users who forget their password need you",
                "set mail.host and web.origin, or make links with kith user invite", .advice)
        }
        if condition.page.isPublic, condition.settings.registration == .open {
            add(
                "registration-open", "Anyone who finds the page can create an account",
                "set accounts.registration to invitation or closed if that is not wanted", .advice)
        }
    }

    private mutating func judgeMachine() {
        let machine = condition.machine
        if machine.isClockSynchronised == false {
            add(
                "clock", "The clock of this machine is not synchronised",
                "timedatectl set-ntp true, or install systemd-timesyncd or chrony")
        }
        guard machine.needsMosquitto else { return }
        if let version = machine.mosquitto {
            if version.prefix(while: { $0 != "." }) != "2" {
                add(
                    "mosquitto-version", "Mosquitto \(version) cannot load the plugin",
                    "install version 2 (apt install mosquitto)")
            }
        } else {
            add("no-mosquitto", "Mosquitto is not installed", "apt install mosquitto")
        }
        if let reason = machine.pluginFault {
            add(
                "plugin-unloadable",
                "Mosquitto \(machine.mosquitto ?? "here") cannot load the plugin (\(reason))",
                "reinstall Kith, or install a Mosquitto it supports (docs/installing.md)")
        }
        if machine.plugin == nil {
            add(
                "no-plugin", "There is no libKithGate.so beside this program",
                "reinstall Kith, or build that product")
        }
    }
}
