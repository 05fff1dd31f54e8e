import Contract
import Foundation
import Glibc
import JSON
import Logging
import Numbers
import Settings
import Tracking

/// Writes each event as one line to standard error: JSON, or text for systemd's journal, which adds
/// the time itself.
struct LineLogHandler: LogHandler {
    let label: String
    let format: LogSettings.Format
    let isJournal: Bool
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, format: LogSettings.Format, isJournal: Bool) {
        self.label = label
        self.format = format
        self.isJournal = isJournal
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        let pairs = all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        var line = isJournal ? Array("<\(Journal.priority(event.level))>".utf8) : []
        switch format {
        case .json: line += object(event.level, "\(event.message)", pairs)
        case .text: line += text("\(event.message)", pairs).utf8
        }
        line.append(UInt8(ascii: "\n"))
        LineLogHandler.write(line)
    }

    private func object(_ level: Logger.Level, _ message: String, _ pairs: [(String, String)])
        -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("time")
            json.time(Timestamp(milliseconds: Int64(clamping: Date().timeIntervalSince1970 * 1000)))
            json.key("level")
            json.string(level.rawValue)
            json.key("label")
            json.string(label)
            json.key("message")
            json.string(message)
            guard !pairs.isEmpty else { return }
            json.key("metadata")
            json.object { json in
                json.members(pairs.map { JSONValue.Member(key: $0.0, value: .string($0.1)) })
            }
        }
    }

    private func text(_ message: String, _ pairs: [(String, String)]) -> String {
        let all = [message] + pairs.map { "\($0.0)=\($0.1)" }
        // A second line would have no priority.
        return "\(label): \(all.joined(separator: " "))".replacing("\n", with: "\\n")
    }

    /// Writes a line in one call, so that lines of several threads do not mix. A failure cannot be
    /// reported.
    private static func write(_ line: [UInt8]) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
