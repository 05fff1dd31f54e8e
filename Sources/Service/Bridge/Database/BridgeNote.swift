internal import Contract
internal import Glibc
internal import JSON
package import Tracking

/// A running bridge's note in its lock file.
package struct BridgeNote: Hashable {
    package var process: Int64
    package var since: Timestamp
    package var version: String
    package var commit: String?
    /// Whether it stands by while a bridge on another machine decides.
    package var isStandingBy = false

    static func own(at now: Timestamp, isStandingBy: Bool = false) -> BridgeNote {
        BridgeNote(
            process: Int64(getpid()), since: now, version: kithVersion, commit: kithCommit,
            isStandingBy: isStandingBy)
    }

    var line: String {
        let bytes = JSONWriter.object { json in
            json.key("process")
            json.number(process)
            json.key("since")
            json.number(since.milliseconds)
            json.key("version")
            json.string(version)
            if let commit {
                json.key("commit")
                json.string(commit)
            }
            if isStandingBy {
                json.key("standby")
                json.bool(true)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package init?(_ line: some StringProtocol) {
        let value: JSONValue
        do { value = try JSONValue.parse(Array(line.utf8)) } catch { return nil }
        guard let process = value["process"]?.integer, let since = value["since"]?.integer,
            let version = value["version"]?.text
        else { return nil }
        self.init(
            process: process, since: Timestamp(milliseconds: since), version: version,
            commit: value["commit"]?.text, isStandingBy: value["standby"] == .bool(true))
    }

    package init(
        process: Int64, since: Timestamp, version: String, commit: String?,
        isStandingBy: Bool = false
    ) {
        self.isStandingBy = isStandingBy
        self.process = process
        self.since = since
        self.version = version
        self.commit = commit
    }

    /// Whether a bridge holds the lock of a database, and its note there.
    package enum Holder: Hashable {
        case nobody
        case bridge(BridgeNote?)
        /// The lock file belongs to another user.
        case unreadable
    }

    /// Checks without waiting, and changes nothing.
    package static func holder(besides databasePath: String) -> Holder {
        let descriptor = open("\(databasePath).lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .nobody : .unreadable }
        defer { close(descriptor) }
        // While this briefly holds the lock, a starting bridge waits and tries again.
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return .nobody }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return .bridge(BridgeNote(text.prefix { !$0.isNewline }))
    }

    /// The maximum length in bytes.
    private static let longest = 1024
}
