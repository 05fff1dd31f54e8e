import Bridge
import Foundation
import Store
import TestSupport
import Testing
import Tracking

@testable import OperatorTools

/// Inspection of files that each test makes.
struct LookingTests {
    private func make(_ path: String, _ mode: Int) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `World-readable secrets are named, and certificates are not secrets`() async throws {
        try await withTemporaryDirectory { place in
            try make("\(place)/kith.db", 0o600)
            try make("\(place)/tokens/bridge", 0o644)
            try make("\(place)/keys/vitals", 0o600)
            try make("\(place)/certificates/server.crt", 0o644)
            try make("\(place)/certificates/server.key", 0o604)
            try make("\(place)/notes.txt", 0o644)
            let found = Condition.DataDirectory(place)
            #expect(found.openFiles == ["certificates/server.key", "tokens/bridge"])
            #expect(found.foreignFiles == [])
            #expect(found.isThere && found.isReadable && found.mode == 0o700)
            #expect(found.owner == found.asker)
            #expect(try #require(found.free) <= #require(found.total))
        }
    }

    @Test func `A missing directory has no database and no bridge`() {
        #expect(!Condition.DataDirectory("/nowhere").isThere)
        #expect(Condition.Database("/nowhere/kith.db", isInUse: false) == nil)
        #expect(Condition.Bridge(on: "/nowhere/kith.db") == nil)
    }

    @Test func `Inspecting a database leaves no trace, and other files have no schema`()
        async throws
    {
        let stored = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stored/schema-24.sqlite").path
        try await withTemporaryDirectory { place in
            let path = "\(place)/kith #1.db"
            try FileManager.default.copyItem(atPath: stored, toPath: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let found = try #require(Condition.Database(path, isInUse: false))
            #expect(found.schema == 24)
            #expect(try #require(found.accounts) > 0)
            #expect(try #require(found.groups) > 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place) == ["kith #1.db"])
            try make("\(path).before-schema-24", 0o600)
            try make("\(path).before-restore", 0o600)
            let copies = try #require(Condition.Database(path, isInUse: false)).copies
            #expect(
                copies.map(\.name) == ["kith #1.db.before-schema-24", "kith #1.db.before-restore"])
            #expect(copies.map(\.isFromRestore) == [false, true])
            try make("\(place)/other.db", 0o400)
            #expect(Condition.Database("\(place)/other.db", isInUse: false)?.schema == nil)
        }
    }

    @Test func `A certificate's names and expiry are read`() throws {
        let text = """
            notAfter=Feb  3 09:08:07 2027 GMT
            X509v3 Subject Alternative Name:
                DNS:home.example.org, IP Address:192.0.2.5
            """
        let certificate = try #require(Condition.Certificate(openSSL: text))
        #expect(certificate.names == ["home.example.org", "192.0.2.5"])
        #expect(certificate.endsAt.milliseconds == 1_801_645_687_000)
        #expect(Condition.Certificate(openSSL: "nothing") == nil)
    }

    @Test func `Options are found in both forms`() {
        let line = ["kith", "up", "--port", "1884", "--for-phones=home.example.org", "--web-port"]
        #expect(ProcessFiles.value(of: "--port", in: line) == "1884")
        #expect(ProcessFiles.value(of: "--for-phones", in: line) == "home.example.org")
        #expect(ProcessFiles.value(of: "--web-port", in: line) == nil)
    }

    @Test func `A backup's time is recorded in ISO 8601`() async throws {
        try await withTemporaryDirectory { place in
            let last = LastBackup(besides: "\(place)/kith.db")
            #expect(last.time == nil)
            try last.note(Timestamp(milliseconds: 1_795_000_000_999))
            #expect(last.time == Timestamp(milliseconds: 1_795_000_000_000))
            let text = try String(contentsOfFile: "\(place)/last-backup", encoding: .utf8)
            #expect(text == "2026-11-18T11:06:40Z\n")
            #expect(
                Backup.name(at: Timestamp(milliseconds: 1_795_000_000_999))
                    == "kith-2026-11-18T110640Z.db")
        }
    }

    @Test func `An interrupted backup's files are removed, those being written are kept`()
        async throws
    {
        let stored = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stored/schema-24.sqlite").path
        try await withTemporaryDirectory { place in
            let (path, backups) = ("\(place)/kith.db", "\(place)/backups")
            try FileManager.default.copyItem(atPath: stored, toPath: path)
            let left = "kith-2026-01-01T033000Z.db.part"
            for name in [left, "\(left)-wal", "\(left)-journal", "kith-mine.db.part", "a.part"] {
                try make("\(backups)/\(name)", 0o600)
            }
            // Of this one the file itself is gone.
            try make("\(backups)/kith-2026-01-02T033000Z.db.part-journal", 0o600)
            let other = try WholeFile("\(backups)/kith-2026-01-03T033000Z.db", replacing: false)
            defer { withExtendedLifetime(other) {} }
            let now = Timestamp(milliseconds: 1_795_000_000_999)
            _ = try Backup(of: DatabaseAddress(path)).save(in: backups, keeping: 1, at: now)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: backups).sorted() == [
                    "a.part", "kith-2026-01-03T033000Z.db.part", "kith-2026-11-18T110640Z.db",
                    "kith-mine.db.part",
                ])
        }
    }

    @Test func `A backup in a series needs twice its size in free space`() async throws {
        try await withTemporaryDirectory { place in
            let path = "\(place)/kith.db"
            try Data(count: 1000).write(to: URL(fileURLWithPath: path))
            try Data(count: 24).write(to: URL(fileURLWithPath: "\(path)-wal"))
            var backup = Backup(of: DatabaseAddress(path))
            let now = Timestamp(milliseconds: 1_795_000_000_999)
            func complaint(_ free: Int64) -> String {
                backup.freeBytes = { _ in free }
                do throws(BridgeError) {
                    return try backup.save(in: "\(place)/backups", keeping: 1, at: now)
                } catch {
                    return error.description
                }
            }
            #expect(complaint(2047).contains("There is not enough space for a backup"))
            // It is not a database.
            #expect(!complaint(2048).contains("space"))
        }
    }
}
