import Clocks
import Contract
import JSON
import Logging
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// How much of the bridge many, or noisy, neighbours can use.
struct NeighbourTests {
    private func turnLoop(_ world: World) -> TurnLoop {
        // Makes turns quick, however loaded the machine is.
        world.engine.stopwatch = { .zero }
        return TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Runs a round this long after the start.
    private func round(_ turnLoop: TurnLoop, _ link: ScriptedLink, _ world: World, after: Duration)
        throws -> [Publication]
    {
        let moment = ClockReading(wall: world.now + after, steady: .seconds(100) + after)
        try turnLoop.round(at: moment)
        return link.takeSent()
    }

    private func begin(_ world: World) throws -> (TurnLoop, ScriptedLink) {
        let (turnLoop, link) = (turnLoop(world), ScriptedLink())
        try turnLoop.begin(link, at: ClockReading(wall: world.now, steady: .seconds(100)))
        _ = try round(turnLoop, link, world, after: .milliseconds(1))
        return (turnLoop, link)
    }

    /// Users in one group, each with a phone that has reported.
    private func village(_ count: Int) throws -> (World, [Name]) {
        let world = try World()
        let users = try (0..<count).map { try #require(Name("u\(1000 + $0)")) }
        try world.operate(
            users.map {
                .addUser($0, displayName: "X", email: nil, ownTracksPublishIsSOS: false)
            })
        try world.operate(.createGroup(try DisplayName("Village"), firstMember: users[0]))
        let key = world.names["village"]
        try world.operate(users.dropFirst().map { .addMember(key, $0) })
        try world.turn(users.map { world.status(Sender($0.text), "offline") })
        try world.pass(.seconds(61))
        _ = world.published()
        return (world, users)
    }

    private func arrival(_ users: [Name]) -> Message {
        let report = ConnectionReport.changed(
            connected: users.map { .device("phone", of: $0) }, disconnected: [])
        return Message(topic: "kith/bridge/connections", payload: report.payload)
    }

    @Test func `A turn processes only some of many simultaneous arrivals`() throws {
        let (world, users) = try village(120)
        var counts: [Int] = []
        try world.turn([arrival(users)])
        for _ in 1...4 {
            counts.append(world.published().count { $0.topic.contains("/members/") })
            try world.turn()
        }
        #expect(counts == [50, 50, 20, 0])
        #expect(world.engine.metrics["turns-full-of-arrivals"] == 2)
    }

    @Test func `A fix does not wait for simultaneous arrivals`() throws {
        let (world, users) = try village(120)
        try world.ask("u1000", "sharing.start", #"{"groups":"all"}"#)
        try world.turn([arrival(Array(users.reversed())), world.fixMessage("u1000", TestFix(1))])
        #expect(world.engine.hasArrivals)
        guard case .object = world.state(of: "u1000", in: "village")["fix"] else {
            Issue.record("It has no fix.")
            return
        }
    }

    @Test func `Only the last status of a flapping device counts`() throws {
        let (world, users) = try village(2)
        let party = ConnectionReport.Party.device("phone", of: users[0])
        let connections = ConnectionReport.connected(party)
        let departures = ConnectionReport.disconnected(party)
        try world.turn(
            (0..<1000).map { number in
                Message(
                    topic: "kith/bridge/connections",
                    payload: (number % 2 == 0 ? connections : departures).payload)
            })
        #expect(!world.engine.hasArrivals)
        #expect(world.published().isEmpty)
    }

    @Test func `Timers wait for a broker that is behind, but not for ever`() throws {
        let world = try World.withFamily()
        let (turnLoop, link) = try begin(world)
        link.incoming = [
            world.requestMessage(
                "alice", "journey.start",
                """
                {"destination":{"latitude":46,"longitude":14},"groups":"all",\
                "eta":"\((world.now + .seconds(10)).rfc3339)"}
                """)
        ]
        _ = try round(turnLoop, link, world, after: .milliseconds(2))
        link.unanswered = 1000
        // The one chance to publish in spite of the backlog is used up.
        _ = try round(turnLoop, link, world, after: .seconds(9))
        _ = try round(turnLoop, link, world, after: .milliseconds(9990))
        var late: [Int] = []
        for milliseconds in [10_010, 10_020, 10_045] {
            let sent = try round(turnLoop, link, world, after: .milliseconds(milliseconds))
            late.append(sent.count { $0.topic.hasSuffix("/alerts") })
        }
        #expect(late == [0, 0, 1])
    }

    @Test func `A backlog at the broker reduces the batch size`() throws {
        let world = try World.withFamily()
        let (turnLoop, link) = try begin(world)
        #expect(link.lastLimit == BridgeSettings.maximumBatch)
        link.hasRoom = false
        let batch = BridgeSettings.maximumBatch
        // Some requests wait to be answered later.
        let end = BridgeSettings.maximumWaiting + batch
        for start in stride(from: 0, to: end, by: batch) {
            link.incoming = (start..<start + batch).map {
                world.requestMessage("alice", "groups.list", "{\"id\":\($0)}")
            }
            _ = try round(turnLoop, link, world, after: .milliseconds(start / 1000 + 2))
        }
        var metrics = try round(turnLoop, link, world, after: .seconds(20))
        #expect(link.lastLimit == BridgeSettings.throttledBatch)
        metrics += try round(turnLoop, link, world, after: .seconds(40))
        #expect(metric("rounds-throttled", metrics) ?? 0 >= 2)
        #expect(metric("publications-waiting", metrics) ?? 0 >= BridgeSettings.maximumWaiting)
        link.hasRoom = true
        let sent = try round(turnLoop, link, world, after: .seconds(41)).count
        #expect(sent >= BridgeSettings.maximumWaiting)
        _ = try round(turnLoop, link, world, after: .seconds(42))
        #expect(link.lastLimit == BridgeSettings.maximumBatch)
    }

    private func metric(_ name: String, _ publications: [Publication]) -> Int? {
        publications.last { $0.topic == "kith/system/metrics/\(name)" }
            .flatMap { Int(String(decoding: $0.payload, as: UTF8.self)) }
    }

    @Test func `A full turn is counted`() throws {
        let world = try World.withFamily()
        try world.turn(
            (0..<BridgeSettings.maximumBatch).map { _ in world.status("alice", "online") })
        #expect(world.engine.metrics["turns-full"] == 1)
    }

    @Test func `Only a device's newest replies are kept`() throws {
        let world = try World.withFamily()
        let most = BridgeSettings.maximumReplies + BridgeSettings.repliesAtATime
        for start in stride(from: 0, to: most + 300, by: 100) {
            try world.turn(
                (start..<start + 100).map {
                    world.requestMessage("alice", "groups.list", "{\"id\":\($0)}")
                })
            world.sleep(.seconds(1))
        }
        #expect(try world.count("replies") <= most)
        let forgotten = try #require(world.engine.metrics["replies-forgotten"])
        #expect(try Int(forgotten) + world.count("replies") == most + 300)
    }

    @Test func `Guests whose addresses were dropped are counted`() throws {
        let book = ReportedConnections(hasGate: true)
        for number in 0..<ReportedConnections.maximumGuests + 7 {
            book.note(try #require(ClientID("guest\(number)")), at: NetworkAddress("10.0.0.1"))
        }
        #expect(book.forgottenGuests == 7)
    }

    @Test func `Guests from this machine do not use up the guest limit`() throws {
        let book = ReportedConnections(hasGate: true)
        let guest = try #require(ClientID("guest"))
        book.note(guest, at: NetworkAddress("10.0.0.1"))
        for number in 0..<ReportedConnections.maximumGuests + 7 {
            book.note(try #require(ClientID("guest\(number)")), at: nil)
        }
        #expect(book.forgottenGuests == 0)
        #expect(book.address(of: guest) == NetworkAddress("10.0.0.1"))
        book.note(guest, at: nil)
        #expect(book.address(of: guest) == nil)
    }
}
