import TestSupport
import Testing
import Tracking

@testable import Store

struct FixTests {
    @Test func `A fix is read back unchanged`() throws {
        let file = try TemporaryStore()
        var full = Fix.taken(1, seq: 9_007_199_254_740_991)
        full.receivedAt = .noon + .milliseconds(1001)
        full.accuracy = 0.1
        full.altitude = -12.5
        full.altitudeAccuracy = 3
        full.heading = 359.99
        full.speed = 0
        full.battery = 100
        let fixes = [full, Fix.taken(2)]
        try file.run { transaction in
            for (index, fix) in fixes.enumerated() {
                try transaction.insert(
                    fix, as: FixID(rawValue: Int64(index + 1)), of: DeviceID(rawValue: 7),
                    after: nil)
            }
        }
        var found: [FixRow] = []
        try file.run { transaction in
            try transaction.fixes(after: FixID(rawValue: 0)) { found.append($0) }
        }
        #expect(found.map(\.fix) == fixes)
        #expect(found.map(\.id.rawValue) == [1, 2])
        #expect(found.allSatisfy { $0.device.rawValue == 7 })
    }

    @Test func `A device's fixes are chained, newest first`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            // Two devices in turn: odd numbers are the first one's.
            for number in 1...10 as ClosedRange<Int64> {
                try transaction.insert(
                    .taken(number), as: FixID(rawValue: number),
                    of: DeviceID(rawValue: (number - 1) % 2 + 1),
                    after: number > 2 ? FixID(rawValue: number - 2) : nil)
            }
        }
        func chain(_ last: Int64, _ count: Int) throws -> [Int64] {
            try file.run { transaction in
                try transaction.fixes(upTo: FixID(rawValue: last), count: count)
            }.map(\.id.rawValue)
        }
        #expect(try chain(9, 3) == [9, 7, 5])
        #expect(try chain(10, 100) == [10, 8, 6, 4, 2])
        #expect(try chain(1, 5) == [1])
        #expect(try chain(99, 5) == [])
    }

    /// A chunk is indexed when 32 fixes are complete, by the earliest and the latest of them.
    @Test func `A chunk knows its own fixes and no others`() throws {
        let file = try TemporaryStore()
        let device = DeviceID(rawValue: 1)
        var log = DeviceLog(device: device)
        try file.run { transaction in
            for number in 1...32 as ClosedRange<Int64> {
                let id = FixID(rawValue: number)
                try transaction.insert(.taken(number * 10), as: id, of: device, after: log.last)
                if let chunk = log.note(.taken(number * 10), as: id) {
                    try transaction.insert(chunk)
                }
            }
        }
        func knows(_ seconds: Int64, _ log: DeviceLog) throws -> Bool {
            try file.run { try $0.knows(.noon + .seconds(seconds), log) }
        }
        for seconds in 0...330 as ClosedRange<Int64> {
            let isThere = seconds > 0 && seconds <= 320 && seconds % 10 == 0
            #expect(try knows(seconds, log) == isThere)
        }
        #expect(try !knows(10, DeviceLog(device: DeviceID(rawValue: 2))))
    }

    /// Any order, any repetition, an occasional restart: a stored fix is never called new, and a
    /// fix that is not stored is never called known.
    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `The log and the chunks together know exactly what is stored`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let file = try TemporaryStore()
        var logs = (1...2).map { DeviceLog(device: DeviceID(rawValue: $0)) }
        var stored: [Set<Int64>] = [[], []]
        var (last, live) = (FixID(rawValue: 0), Int64(0))
        for step in 1...600 {
            let device = Int.random(in: 0...1, using: &random)
            live += Int64.random(in: 0...3, using: &random)
            // Mostly live, often earlier, and more densely than there are fixes.
            let seconds =
                Int.random(in: 0..<3, using: &random) > 0
                ? live : Int64.random(in: 0...max(1, live), using: &random)
            let isNew = try file.run { transaction in
                let fix = Fix.taken(seconds)
                switch logs[device].novelty(of: fix.takenAt) {
                case .new: break
                case .known: return false
                case .uncertain:
                    if try transaction.knows(fix.takenAt, logs[device]) { return false }
                }
                last.rawValue += 1
                try transaction.insert(
                    fix, as: last, of: logs[device].device, after: logs[device].last)
                if let chunk = logs[device].note(fix, as: last) { try transaction.insert(chunk) }
                return true
            }
            #expect(
                isNew == stored[device].insert(seconds).inserted, "seed \(seed), step \(step)")
        }
        #expect(try file.count("fixes") == Int64(stored[0].count + stored[1].count))
    }

    @Test func `Deletion starts with the oldest fixes and removes emptied chunks`() throws {
        let file = try TemporaryStore()
        try file.run { try $0.inventFixes(6400, devices: 2, before: .noon) }
        #expect(try file.count("fix_runs") == 200)
        func hasMore(_ limit: Int) throws -> Bool {
            try file.run { try $0.deleteFixes(receivedBefore: .noon, atMost: limit) }
        }
        #expect(try [hasMore(1000), hasMore(5000)] == [true, true])
        #expect(try file.count("fixes") == 400)
        let chunks = try file.count("fix_runs")
        #expect(chunks >= 12 && chunks <= 14)
        #expect(try [hasMore(1000), hasMore(1000)] == [false, false])
        #expect(try file.count("fixes") == 0)
        #expect(try file.count("fix_runs") == 0)
    }

    @Test func `Fix numbers are not reused while anything refers to them`() throws {
        let file = try TemporaryStore()
        let (user, device) = try file.addUser("alice")
        func last() throws -> Int64 {
            try file.run { try $0.lastFix().rawValue }
        }
        #expect(try last() == 0)
        try file.run { transaction in
            try transaction.insert(.taken(1), as: FixID(rawValue: 41), of: device, after: nil)
            try transaction.save(
                SavedTracker(tracker: Tracker(user: user), logs: []), through: FixID(rawValue: 40))
        }
        #expect(try last() == 41)
        try file.execute("DELETE FROM fixes")
        #expect(try last() == 40)
    }
}
