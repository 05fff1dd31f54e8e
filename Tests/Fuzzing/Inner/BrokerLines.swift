#if DEBUG
@testable import LocalBroker

/// Lines of Mosquitto's log, some of which any client can cause.
enum BrokerLines {
    /// Each line of the input is one of the log; an empty one lets a minute pass.
    static func read(_ bytes: [UInt8]) throws {
        var log = BrokerLog()
        var now = ContinuousClock.now
        var count = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty {
                now = now.advanced(by: .seconds(60))
                count = 0
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            let entries = log.take(text, at: now)
            try expect(entries.count <= 2, "a line becomes one, and at most one about others")
            guard let last = entries.last, last.text == text else { continue }
            count += 1
            try expect(
                !last.text.utf8.starts(with: "Protocol error from ".utf8),
                "no client's id is in the log")
            try expect(count <= BrokerLog.linesAMinute, "a minute has so many lines")
        }
    }
}
#endif
