public import ArgumentParser
import Foundation
import Logging
public import Settings

extension LogSettings.Format: ExpressibleByArgument {
    /// For a command without a data directory, and so without a configuration.
    static var ofEnvironment: LogSettings.Format {
        let text = ProcessInfo.processInfo.environment["KITH_LOG_FORMAT"] ?? ""
        return LogSettings.Format(rawValue: text) ?? .text
    }

    /// Returns a handler that writes to standard error.
    func handler(_ label: String) -> any LogHandler {
        let isJournal = Journal.isStandardError
        if self == .text, !isJournal { return StreamLogHandler.standardError(label: label) }
        return LineLogHandler(label: label, format: self, isJournal: isJournal)
    }
}

extension Logger.Level {
    init(_ level: LogSettings.Level) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }
}

/// Systemd's journal, as sd-daemon(3) and systemd.exec(5) describe it.
enum Journal {
    /// Whether standard error leads there: then the environment names the device and the inode of
    /// the connection, which a redirected program inherits but does not have.
    static var isStandardError: Bool {
        guard let text = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
        let numbers = text.split(separator: ":").map { UInt64($0) }
        var status = stat()
        guard numbers.count == 2, fstat(STDERR_FILENO, &status) == 0 else { return false }
        return numbers[0] == UInt64(status.st_dev) && numbers[1] == UInt64(status.st_ino)
    }

    /// Returns the priority that a line begins with, in angle brackets.
    static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
