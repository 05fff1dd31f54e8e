internal import Contract
internal import Foundation
internal import Tracking

/// When `kith backup` last succeeded, as it says in a file beside the database.
struct LastBackup {
    private let path: String

    /// The file's name, and its longest text.
    static let file = "last-backup"
    private static let longest = 64

    /// - Parameter path: of the database.
    init(besides path: String) {
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        self.path = "\(directory)\(LastBackup.file)"
    }

    /// Seconds since 1970; 0 if there is no file, or it contains something else.
    var seconds: Int64 {
        guard let bytes = FileManager.default.contents(atPath: path),
            bytes.count < LastBackup.longest
        else { return 0 }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        return Timestamp(rfc3339: text).map { $0.milliseconds / 1000 } ?? 0
    }
}
