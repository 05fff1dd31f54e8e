import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A fix is identified by its user, device and timestamp: a duplicate is not stored and changes
/// nothing.
struct DuplicateTests {
    /// Alice shares with her family, whose members all check what they see.
    private func world() throws -> World {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        _ = world.published()
        return world
    }

    /// Sends the messages again and expects no effect.
    private func expectNothing(of messages: [Message], _ world: World) throws {
        let (tables, retained) = (try world.tableCounts(), world.retained)
        _ = world.published()
        for message in messages {
            try world.turn([message])
            #expect(world.published().isEmpty)
        }
        try world.turn(messages + messages)
        #expect(world.published().isEmpty)
        #expect(try world.tableCounts() == tables)
        #expect(world.retained == retained)
    }

    @Test func `A duplicate changes nothing, whatever its content`() throws {
        let world = try world()
        let fix = world.fixMessage("alice", TestFix(1))
        try world.turn([fix])
        let other = world.fixMessage("alice", TestFix(99, accuracy: 3))
        world.sleep(.seconds(30))
        try expectNothing(of: [fix, other], world)
    }

    @Test(arguments: [1, 31, 32, 33, 100])
    func `Duplicates are detected after any number of other fixes`(_ count: Int) throws {
        let world = try world()
        var messages: [Message] = []
        for number in 0..<count {
            world.sleep(.seconds(5))
            messages.append(world.fixMessage("alice", TestFix(number)))
            try world.turn([messages[number]])
        }
        #expect(try world.count("fixes") == count)
        #expect(try world.count("fix_runs") == count / 32)
        try expectNothing(of: messages, world)
        try world.restart()
        try expectNothing(of: messages, world)
    }

    @Test(arguments: [1, 2, 3])
    func `Shuffled windows sent up to three times equal one ordered pass`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (world, sorted) = (try world(), try world())
        for turn in 0..<6 {
            world.sleep(.seconds(250))
            sorted.sleep(.seconds(250))
            let fixes = (0..<50).map { TestFix(turn * 50 + $0, ago: Double(5 * (49 - $0))) }
            for fix in fixes { try sorted.turn([sorted.fixMessage("alice", fix)]) }
            let copies = fixes.flatMap { fix in
                Array(repeating: fix, count: Int.random(in: 1...3, using: &random))
            }
            let messages = copies.shuffled(using: &random).map { world.fixMessage("alice", $0) }
            for start in stride(from: 0, to: messages.count, by: 20) {
                try world.turn(Array(messages[start..<min(messages.count, start + 20)]))
            }
            if turn == 3 { try world.restart() }
        }
        #expect(try world.count("fixes") == 300)
        #expect(try world.integers("SELECT COUNT(DISTINCT taken_at_ms) FROM fixes") == [300])
        #expect(world.state(of: "alice")["fix"] == sorted.state(of: "alice")["fix"])
        #expect(try world.count("alerts") == 0)
    }

    @Test func `The same time on another device or of another user is another fix`() throws {
        let world = try world()
        try world.send(
            world.fixMessage("alice", TestFix(1)), world.fixMessage("alice/watch", TestFix(1)),
            world.fixMessage("bob", TestFix(1)))
        #expect(try world.count("fixes") == 3)
    }

    @Test func `A time repeated in one array counts once`() throws {
        let world = try world()
        try world.fix("alice", TestFix(1), TestFix(2), TestFix(1))
        #expect(try world.count("fixes") == 1)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 1)
    }

    @Test func `A retained fix that is redelivered is a duplicate like any other`() throws {
        let world = try world()
        var fix = world.fixMessage("alice", TestFix(1))
        try world.turn([fix])
        fix.retain = true
        fix.packetID = 0
        try expectNothing(of: [fix], world)
    }
}
