internal import Contract
internal import Numbers
internal import Store
internal import Tracking

extension Condition {
    /// The lines that `kith status` prints, for people.
    public var lines: [String] {
        var lines: [(String, String)] = [("kith", program.text)]
        let found = directory.isThere ? "owner \(directory.owner)" : "missing"
        guard directory.isReadable || !directory.isThere else {
            let data = "\(directory.path) (\(found), not readable for \(directory.asker))"
            lines.append(("data", data))
            lines.append(("broker", brokerText))
            return Condition.aligned(lines)
        }
        lines.append(("data", "\(directory.path) (\(found))"))
        lines.append(("bridge", bridgeText))
        lines.append(("broker", brokerText))
        lines.append(
            (
                "page",
                "\(page.address) (\(!page.isListening ? "not listening" : page.isOther ? "another program listens" : "listening"))"
            ))
        lines += (broker.concerns + settings.faults.keys.sorted { $0.rawValue < $1.rawValue }).map {
            ("concern", $0.text)
        }
        if let certificate {
            let days = Int(clamping: (certificate.endsAt - now) / .seconds(86_400))
            lines.append(
                ("certificate", "\(certificate.names.joined(separator: ", ")), \(days) days left"))
        }
        if let database { lines += databaseLines(database) }
        if let free = directory.free, let total = directory.total {
            lines.append(("disk", "\(megabytes(free)) free of \(megabytes(total))"))
        }
        if directory.isThere {
            let unknown = isLastBackupUnreadable ? "cannot be read" : "never"
            lines.append(("last backup", lastBackup.map(ago) ?? unknown))
        }
        lines.append(("registration", settings.registration.rawValue))
        lines.append(("phones", phonesText))
        return Condition.aligned(lines)
    }

    private static func aligned(_ lines: [(String, String)]) -> [String] {
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { label, text in
            label + String(repeating: " ", count: width - label.count + 2) + text
        }
    }

    private var bridgeText: String {
        guard let bridge else { return "not running" }
        let since = bridge.since.map { ", since \($0.rfc3339.prefix(19))Z" } ?? ""
        let process = bridge.process.map { ", process \($0)" } ?? ""
        let word = bridge.isStandingBy ? "standing by" : "running"
        return "\(word)\(since)\(process)\(bridge.build.map { ", \($0.text)" } ?? "")"
    }

    private var brokerText: String {
        guard broker.isReachable else { return "\(broker.address) (not reachable)" }
        if broker.isSilent { return "\(broker.address) (does not answer)" }
        if broker.refusesOperator {
            return "\(broker.address) (does not know the operator's token)"
        }
        let status =
            switch broker.status {
            case nil: "no bridge has connected"
            case "unknown": "answers; only \(directory.owner) can see the bridge's status there"
            case let status?: "the bridge is \(status)"
            }
        let reason = broker.reason.map { ": \($0)" } ?? ""
        let isSilent = broker.status == "online" && broker.bridgeAnswers == false
        let silence = isSilent ? ", but does not answer" : ""
        return "\(broker.address) (\(status)\(reason)\(silence))"
    }

    private func databaseLines(_ database: Database) -> [(String, String)] {
        let schema = database.schema.map { "schema \($0)" } ?? "cannot be read"
        var lines = [
            (
                "database",
                database.isOnServer
                    ? "\(megabytes(database.bytes)) on a PostgreSQL server, \(schema)"
                    : "\(megabytes(database.bytes)), log \(megabytes(database.logBytes)), \(schema)"
            )
        ]
        if bridge?.isStandingBy == true, let decider = database.decider {
            lines.append(
                (
                    "decides",
                    "\(decider.name), since \(decider.since.rfc3339.prefix(19))Z, \(decider.version)"
                ))
        }
        if let accounts = database.accounts, let groups = database.groups {
            lines.append(("accounts", "\(accounts), groups \(groups)"))
        }
        return lines
    }

    /// The requirements for a phone to connect.
    private var phonesText: String {
        guard let name = bridge?.phonesName else {
            return page.isPublic
                ? "at \(page.address)"
                : "cannot connect from outside: "
                    + (isPackaged
                        ? "--for-phones NAME in KITH_OPTIONS of /etc/default/kith"
                        : "kith up --for-phones NAME")
        }
        return "at \(page.address), and ports 8883 and 8084 of \(name)"
    }

    private func megabytes(_ bytes: Int64) -> String {
        bytes < 10 << 20
            ? "\(bytes >> 10) KB" : bytes < 10 << 30 ? "\(bytes >> 20) MB" : "\(bytes >> 30) GB"
    }

    private func ago(_ time: Timestamp) -> String {
        let hours = Int(clamping: (now - time) / .seconds(3600))
        let age = hours < 48 ? "\(hours) hours ago" : "\(hours / 24) days ago"
        return "\(time.rfc3339.prefix(19))Z (\(age))"
    }
}
