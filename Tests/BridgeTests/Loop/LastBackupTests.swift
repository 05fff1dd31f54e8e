import Clocks
import Contract
import Foundation
import JSON
import Logging
import Synchronization
import Testing
import Tracking

@testable import Bridge

/// The time of the last backup, read from its file.
struct LastBackupTests {
    @Test(
        arguments: [
            ("2026-11-24T02:30:00Z\n", 1_795_487_400), ("2026-11-24T02:30:00.123Z", 1_795_487_400),
            ("yesterday\n", 0), ("", 0), (String(repeating: "2", count: 5000), 0),
        ] as [(String, Int64)])
    func `The backup time is read from its file if it is valid`(_ text: String, _ seconds: Int64)
        throws
    {
        let directory = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let backup = LastBackup(besides: directory + "/kith.db")
        #expect(backup.time == nil, "there is no file")
        try text.write(toFile: directory + "/last-backup", atomically: true, encoding: .utf8)
        #expect((backup.time?.milliseconds ?? 0) / 1000 == seconds)
    }

    @Test(
        arguments: [
            (nil, 25.0, nil), (nil, 27, "no-backup"), (25, 1, nil), (27, 1, "backup-old"),
        ] as [(Double?, Double, String?)])
    func `More than 26 hours without a backup is a concern`(
        _ age: Double?, _ uptime: Double, _ concern: String?
    ) throws {
        let world = try World.withFamily()
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        let backup = LastBackup(besides: world.database.path)
        if let age { try backup.note(world.now - .seconds(age * 3_600)) }
        turnLoop.lastBackup = backup
        world.engine.stopwatch = { .seconds(100) + .seconds(uptime * 3_600) }
        let link = ScriptedLink()
        let moment = ClockReading(wall: world.now, steady: .seconds(100))
        try turnLoop.begin(link, at: moment)
        try turnLoop.round(at: moment)
        let status = link.takeSent().last { $0.topic == "kith/system/status" }
        let names = status.map { JSONValue.read($0.payload) }?["concerns"]?.elements.map(\.text)
        #expect(names ?? [] == [concern].compactMap(\.self))
    }

    @Test(
        arguments: [
            (nil, nil), (15 * 24, nil), (13 * 24, "certificate-ending"), (-1, "certificate-ended"),
        ] as [(Int64?, String?)])
    func `A certificate near or past its end is a concern until it is renewed`(
        _ hours: Int64?, _ concern: String?
    ) throws {
        let world = try World.withFamily()
        let now = world.now
        let end = Mutex(hours.map { now + .seconds($0 * 3_600) })
        var settings = world.settings
        settings.certificateEnd = { end.withLock(\.self) }
        let turnLoop = TurnLoop(
            world.engine, settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        turnLoop.findConcerns(at: now)
        #expect(turnLoop.concerns.certificate?.rawValue == concern)
        end.withLock { $0 = now + .seconds(365 * 86_400) }
        turnLoop.findConcerns(at: now + .seconds(60))
        #expect(turnLoop.concerns.certificate == nil)
    }
}
