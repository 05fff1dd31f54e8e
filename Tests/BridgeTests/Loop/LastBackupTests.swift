import Foundation
import Testing
import Tracking

@testable import Bridge

/// When the last backup was made, as its file says.
struct LastBackupTests {
    @Test(
        arguments: [
            ("2026-11-24T02:30:00Z\n", 1_795_487_400), ("2026-11-24T02:30:00.123Z", 1_795_487_400),
            ("yesterday\n", 0), ("", 0), (String(repeating: "2", count: 5000), 0),
        ] as [(String, Int64)])
    func `The time in the file counts, if it is one`(_ text: String, _ seconds: Int64) throws {
        let directory = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let backup = LastBackup(besides: directory + "/kith.db")
        #expect(backup.time == nil, "there is no file")
        try text.write(toFile: directory + "/last-backup", atomically: true, encoding: .utf8)
        #expect((backup.time?.milliseconds ?? 0) / 1000 == seconds)
    }
}
