internal import Contract
internal import Foundation
internal import Tracking

/// The newest time that was believed, in a file beside the database: the next bridge compares its
/// clock with it.
///
/// It is not in the database: what is restored from a backup knows the day of the backup alone.
struct LastTrustedTime {
    private let path: String
    private var written: Timestamp?

    /// How much older the file may be.
    private static let interval = Duration.seconds(3600)

    /// - Parameter path: of the database.
    init(besides path: String) { self.path = "\(path).time" }

    /// Nil where there is none, or something else.
    var last: Timestamp? {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 64 else {
            return nil
        }
        return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self).trimmingSuffix)
    }

    /// Every hour, and whenever the clock was set back.
    mutating func note(_ time: Timestamp) throws(BridgeError) {
        if let written, time >= written, time < written + LastTrustedTime.interval { return }
        // Where it cannot be, that is said every hour.
        written = time
        do {
            try Data("\(time.rfc3339)\n".utf8).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BridgeError("The time cannot be noted beside the database.")
        }
    }
}

extension String {
    /// Without the end of the line.
    fileprivate var trimmingSuffix: String { trimmingCharacters(in: .newlines) }
}
