import Logging
import Store
import Testing
import Tracking

@testable import Bridge

/// How disk space is watched, and reserved for calls for help.
struct DiskWatchTests {
    private let database: TemporaryDatabase
    private let logger = Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() })

    init() throws {
        database = try TemporaryDatabase(copyOf: nil)
        _ = try Store.open(database.path, at: .morning)
    }

    private func watch(reserve: Int64 = 0, warnBelow: Int64 = 0) -> DiskWatch {
        var settings = BridgeSettings.Disk()
        settings.reserve = reserve
        settings.warnBelow = warnBelow
        return DiskWatch(database.path, settings)
    }

    @Test func `Metrics report free and total disk space and the database size`() {
        var watch = watch()
        watch.look(logger)
        let metrics = watch.metrics
        #expect(metrics["disk-free-bytes"] ?? 0 > 0)
        #expect(metrics["disk-total-bytes"] ?? 0 >= metrics["disk-free-bytes"] ?? 0)
        #expect(metrics["database-bytes"] ?? 0 > 0)
        #expect(metrics["disk-low"] == 0 && metrics["disk-sparing"] == 0)
    }

    @Test func `Low disk space is reported, and a threshold of 0 disables that`() {
        var (warned, never) = (watch(warnBelow: .max), watch())
        warned.look(logger)
        never.look(logger)
        #expect(warned.isLow && !never.isLow)
    }

    @Test func `The reserve is filled, released in slices and refilled`() throws {
        let size: Int64 = 1 << 20
        let reserve = DiskReserve(besides: database.path, size: size)
        #expect(reserve.missing == size)
        #expect(reserve.fill())
        #expect(reserve.missing == 0)
        for left in (0..<DiskReserve.slices).reversed() {
            #expect(reserve.release())
            #expect(reserve.missing == size - left * size / DiskReserve.slices)
        }
        #expect(!reserve.release())
        #expect(reserve.fill() && reserve.missing == 0)
        var watch = watch(reserve: size)
        let isGiven = watch.giveReserve(logger)
        #expect(isGiven && watch.isSparing)
        #expect(reserve.missing == size / DiskReserve.slices)
        // There is room here.
        watch.look(logger)
        #expect(!watch.isSparing && reserve.missing == 0)
    }

    @Test func `Space below the reserve is kept for calls for help`() {
        // No disk has that much.
        var watch = watch(reserve: 1 << 60)
        watch.look(logger)
        #expect(watch.isSparing && watch.metrics["disk-sparing"] == 1)
        let isGiven = watch.giveReserve(logger)
        #expect(!isGiven, "there was no room for it")
    }

    @Test func `A disk watch without a reserve never starts sparing`() {
        var watch = watch()
        let isGiven = watch.giveReserve(logger)
        #expect(!isGiven)
        watch.look(logger)
        #expect(!watch.isSparing)
    }

    // MARK: Out of space

    private static let full = StoreError(.open, code: 13, reason: "database or disk is full")

    @Test func `Urgent work is retried once per released slice`() throws {
        var watch = watch(reserve: 1 << 20)
        watch.look(logger)
        var tries = 0
        let made = try watch.makingRoom(logger) {
            tries += 1
            if tries < 3 { throw DiskWatchTests.full }
            return tries
        }
        #expect(made == 3 && watch.isSparing)
        #expect(throws: StoreError.self) {
            try watch.makingRoom(logger) {
                tries += 1
                throw DiskWatchTests.full
            }
        }
        #expect(tries == 3 + 1 + Int(DiskReserve.slices) - 2)
    }

    @Test func `Other failures release no reserve while there is space`() throws {
        var watch = watch(reserve: 1 << 20)
        watch.look(logger)
        for error: any Error in [
            StoreError(.open, code: 4874, reason: "disk I/O error"), BridgeError("No."),
        ] {
            #expect(throws: (any Error).self) { try watch.makingRoom(logger) { throw error } }
        }
        #expect(!watch.isSparing)
        #expect(DiskReserve(besides: database.path, size: 1 << 20).missing == 0)
    }
}
