internal import Contract
internal import Foundation
internal import Tracking

/// The last trusted time, in a file beside the database: the next bridge compares its clock with
/// it.
///
/// It is not in the database, because one restored from a backup knows only the time of the backup.
struct LastTrustedTime {
    private let path: String
    private var written: Timestamp?

    /// The maximum lag of the time in the file.
    private static let interval = Duration.seconds(3600)

    /// - Parameter path: the database's path.
    init(besides path: String) { self.path = "\(path).time" }

    /// The stored time; nil if there is no file, or it contains something else.
    var last: Timestamp? {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 64 else {
            return nil
        }
        return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self).trimmingSuffix)
    }

    /// Writes the time every hour, and whenever the clock was set back.
    mutating func note(_ time: Timestamp) throws(BridgeError) {
        if let written, time >= written, time < written + LastTrustedTime.interval { return }
        // Set even if writing fails, so that the failure is reported only every hour.
        written = time
        do {
            try Data("\(time.rfc3339)\n".utf8).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BridgeError("The time cannot be saved beside the database.")
        }
    }
}

extension String {
    /// The string without the newline at its end.
    fileprivate var trimmingSuffix: String { trimmingCharacters(in: .newlines) }
}
