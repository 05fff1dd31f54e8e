import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The broker retains the newest segments of a path, and each turn publishes only a bounded part.
struct RetainedPathsTests {
    private static let journey = "10:00:00 alice travels to 9000 m by 23:00:00 with all"

    /// Alice is on a journey followed by `groups` groups, and her path has `points` points.
    private func world(groups: Int, points: Int) throws -> World {
        let world = try World.withFamily()
        for number in 1..<groups { try world.addGroup("Group\(number)", "alice", "bob") }
        try Script.play(in: world, Self.journey)
        world.sleep(.seconds(10_000))
        try walk(1...points, in: world)
        return world
    }

    /// Sends one fix per metre, one second apart, the last one taken now.
    private func walk(_ meters: ClosedRange<Int>, in world: World) throws {
        let fixes = meters.map { TestFix($0, ago: Double(meters.upperBound - $0)) }
        for start in stride(from: 0, to: fixes.count, by: 500) {
            let part = fixes[start..<min(start + 500, fixes.count)].map { $0.json(at: world.now) }
            try world.send(world.fixMessage("alice", "[\(part.joined(separator: ","))]"))
        }
        try settle(world)
    }

    private func settle(_ world: World) throws {
        while let next = world.engine.nextPath { try world.pass(until: max(next, world.now)) }
    }

    private func numbers(_ world: World, in group: String = "family") -> [Int64] {
        world.segments(of: "alice", in: group).compactMap { $0["segment"]?.integer }
    }

    private func segments(_ publications: [Publication]) -> Int {
        publications.count { $0.topic.contains("/path/") }
    }

    @Test func `The broker retains only the newest 16 segments of a long path`() throws {
        let world = try world(groups: 1, points: 16 * 64)
        #expect(numbers(world) == Array(1...16))
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(1025))
        #expect(numbers(world) == Array(2...17))
        world.sleep(.seconds(3000))
        try walk(1026...4000, in: world)
        #expect(numbers(world) == Array(48...63))
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(3009...4000))
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        try world.restart()
        #expect(numbers(world) == Array(48...63))
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(4001))
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(3009...4001))
        #expect(try world.outcome("alice", "journey.stop") == "ok")
        #expect(numbers(world) == [])
    }

    /// A broker left by a version that retained all segments.
    @Test func `Segments retained by an earlier version are cleared`() throws {
        let world = try world(groups: 1, points: 2000)
        var kept = world.retained
        let topic = world.topics.string(
            .path(world.names["family"], "alice", segment: 3))
        #expect(kept[topic] == nil)
        kept[topic] = Array("{}".utf8)
        let corrections = try world.engine.corrections(of: kept)
        #expect(corrections.map(\.topic) == [topic])
        #expect(corrections.first?.payload == [])
    }

    @Test func `Repeated late points are shown every ten seconds`() throws {
        let world = try world(groups: 1, points: 500)
        world.sleep(.seconds(60))
        _ = world.published()
        var shown = 0
        for number in 0..<100 {
            try world.pass(.milliseconds(200))
            try world.fix("alice", TestFix(1, ago: 400.05 + Double(number) / 10))
            let published = segments(world.published())
            // The last segment is published with each new point.
            if published > 1 { shown += 1 }
        }
        #expect(shown == 2)
        try settle(world)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters).count == 600)
    }

    @Test func `A long path is published to many groups in bounded parts`() throws {
        let world = try world(groups: 50, points: 2000)
        world.sleep(.seconds(60))
        _ = world.published()
        try world.ask("alice", "sos.trigger")
        var counts = [segments(world.published())]
        while let next = world.engine.nextPath {
            try world.pass(until: max(next, world.now))
            counts.append(segments(world.published()))
        }
        #expect(counts.reduce(0, +) == 50 * 16)
        #expect(counts.allSatisfy { $0 <= Journeys.maximumSegments + Path.retainedSegments })
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        let modes = world.segments(of: "alice", in: "group49").map { $0["mode"]?.text }
        #expect(modes == Array(repeating: "sos", count: 16))
    }

    @Test func `Fixes received between the parts are on the path in every group`() throws {
        let world = try world(groups: 50, points: 2000)
        world.sleep(.seconds(60))
        try world.ask("alice", "sos.trigger")
        for number in 1...5 {
            world.sleep(.milliseconds(20))
            try world.fix("alice", TestFix(2000 + number))
            try world.fix("alice", TestFix(7, ago: 30 + Double(number)))
        }
        try settle(world)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `Leaving a group or starting a journey there drops the parts that wait for it`()
        throws
    {
        let world = try world(groups: 50, points: 2000)
        world.sleep(.seconds(60))
        try world.ask("alice", "sos.trigger")
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$group49"}"#) == "ok")
        #expect(numbers(world, in: "group49") == [])
        try world.ask("alice", "sos.stop")
        try world.ask("alice", "journey.stop")
        try Script.play(
            in: world, "\(world.now.clock) alice travels to 9 m by 23:00:00 with family")
        try settle(world)
        #expect(numbers(world, in: "family") == [])
        #expect(numbers(world, in: "group49") == [])
        #expect(numbers(world, in: "group48").count == 16)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `The next start publishes the parts that waited when the bridge ended`() throws {
        let world = try world(groups: 50, points: 2000)
        world.sleep(.seconds(60))
        try world.ask("alice", "sos.trigger")
        #expect(world.engine.hasPathsToShow)
        try world.restart()
        #expect(!world.engine.hasPathsToShow)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(2001))
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }
}
