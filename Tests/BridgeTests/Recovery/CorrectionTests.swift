import Contract
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

/// A bridge that connects publishes what the broker should retain and does not, and nothing else.
struct CorrectionTests {
    /// A world with something on every kind of retained topic.
    private func world() throws -> World {
        let world = try World.withNeighbours()
        try Script.play(
            in: world,
            """
            10:00:00 bob's app at 1 m
            10:00:00 alice shares with all
            10:00:01 to 10:01:30 every 1 s alice at 0 m +1 m
            10:01:31 alice triggers SOS
            10:01:32 to 10:03:00 every 1 s alice at 100 m +1 m
            """)
        _ = world.published()
        return world
    }

    @Test func `A complete broker needs no corrections`() throws {
        let world = try world()
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
    }

    @Test func `An empty broker is sent everything, retained and with QoS 1`() throws {
        let world = try world()
        let corrections = try world.twin().corrections(of: [:])
        #expect(
            Dictionary(uniqueKeysWithValues: corrections.map { ($0.topic, $0.payload) })
                == world.retained)
        #expect(corrections.allSatisfy { $0.retain && $0.qos == .atLeastOnce })
        #expect(corrections.map(\.topic) == corrections.map(\.topic).sorted())
        #expect(corrections.allSatisfy { $0.outboxRow == nil })
    }

    @Test func `Missing, wrong and superfluous topics are corrected one by one`() throws {
        let world = try world()
        #expect(!world.retained.isEmpty)
        for topic in world.retained.keys.sorted() {
            var (missing, wrong) = (world.retained, world.retained)
            missing[topic] = nil
            wrong[topic] = Array("{}".utf8)
            for actual in [missing, wrong] {
                let corrections = try world.engine.corrections(of: actual)
                #expect(corrections.map(\.topic) == [topic])
                #expect(corrections.first?.payload == world.retained[topic])
            }
        }
        let extra = [
            "kith/groups/\(GroupNames.unknown)", "kith/users/nobody/groups",
            "kith/groups/\(world.names["family"])/members/dave",
            "kith/groups/\(world.names["family"])/members/alice/path/9", "owntracks/bob/@dave",
            "owntracks/bob/@dave/info",
            // Positions that apps retained before the bridge removed their retain flag, in any
            // spelling, of existing and of deleted users.
            "owntracks/bob/app", "owntracks/bob/App", "owntracks/nobody/Pixel7",
        ]
        for topic in extra {
            var actual = world.retained
            actual[topic] = Array("{}".utf8)
            let corrections = try world.engine.corrections(of: actual)
            #expect(corrections.map(\.topic) == [topic])
            #expect(corrections.first?.payload == [])
            #expect(corrections.first?.retain == true)
        }
    }

    /// A user whose phone was away when they were removed asks later.
    @Test func `A retained empty group list is kept`() throws {
        let world = try world()
        let topic = world.topics.string(.userGroups("dave"))
        var actual = world.retained
        #expect(actual[topic] == nil)
        actual[topic] = Array("[]".utf8)
        #expect(try world.engine.corrections(of: actual).isEmpty)
        actual[topic] = Array(#"[{"group":"x"}]"#.utf8)
        let corrections = try world.engine.corrections(of: actual)
        #expect(corrections.map(\.topic) == [topic])
        #expect(corrections.first?.payload == Array("[]".utf8))
    }

    @Test func `Segments retained before a restart can still be removed after it`() throws {
        let world = try world()
        #expect(world.segments(of: "alice").count == 2)
        try world.restart()
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(world.segments(of: "alice").isEmpty)
        #expect(world.segments(of: "alice", in: "work").count == 2)
    }

    @Test func `Topics are below the configured root`() throws {
        var settings = BridgeSettings()
        settings.topics = TopicSpace(root: "kith/07")
        let world = try World.withFamily(settings)
        try Script.play(in: world, "10:00:00 alice shares with all\n10:00:01 alice at 3 m")
        #expect(world.retained.keys.allSatisfy { $0.hasPrefix("kith/07/") })
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 3)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }
}
