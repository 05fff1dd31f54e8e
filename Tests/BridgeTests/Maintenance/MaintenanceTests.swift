import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Whoever is watched is warned 48 hours and one hour before nobody watches, once each.
struct MaintenanceTests {
    private static let day = Duration.seconds(86_400)

    private func announce(_ world: World, in lead: Duration, for length: Duration = .seconds(7_200))
        throws
    {
        let from = world.now + lead
        try world.operate(
            .announceMaintenance(from: from, to: from + length, try MaintenanceText("A new disk.")))
    }

    /// The warnings that Alice was given since, with when they say that they are late or the last.
    private func warnings(_ world: World) -> [String] {
        world.published().filter { $0.topic == "kith/users/alice/notices" }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "maintenance" }
            .map {
                ($0["last"] == .bool(true) ? "last" : "first")
                    + ($0["late"] == .bool(true) ? ", late" : "")
            }
    }

    @Test func `It is said 48 hours before and one hour before, also across restarts`() throws {
        let world = try World.withWatchedAlice()
        try announce(world, in: .seconds(50 * 3_600))
        try world.pass(.seconds(2 * 3_600 - 1))
        #expect(warnings(world) == [])
        try world.restart()
        try world.pass(.seconds(1))
        #expect(warnings(world) == ["first"])
        _ = world.published()
        try world.restart()
        _ = world.published()
        try world.pass(.seconds(47 * 3_600 - 1))
        #expect(warnings(world) == [])
        try world.pass(.seconds(1))
        #expect(warnings(world) == ["last"])
        try world.restart()
        _ = world.published()
        try world.pass(.seconds(5 * 3_600))
        #expect(warnings(world) == [])
        try world.sweep()
        #expect(try world.count("maintenances") == 0)
    }

    @Test(arguments: [
        (Duration.seconds(48 * 3_600), ["first"]), (.seconds(48 * 3_600 - 1), ["first, late"]),
        (.seconds(3_600), ["last"]), (.seconds(3_599), ["last, late"]),
        (.seconds(-60), ["last, late"]),
    ])
    func `What is announced late is said at once, and that it is late`(
        lead: Duration, told: [String]
    ) throws {
        let world = try World.withWatchedAlice()
        try announce(world, in: lead)
        try world.turn()
        #expect(warnings(world) == told)
        try world.pass(.seconds(48 * 3_600))
        #expect(warnings(world) == (told[0].hasPrefix("first") ? ["last"] : []))
    }

    @Test func `Only who is watched is warned, on all channels before it begins`() throws {
        let world = try World.withWatchedAlice()
        try announce(world, in: .seconds(1_800))
        try world.turn()
        let told = world.published().filter { $0.topic.hasSuffix("/notices") }
        #expect(told.map(\.topic) == ["kith/users/alice/notices"])
        let listed = try world.ask("alice", "notice.list")["result"]?["notices"]?.elements
        #expect(
            listed?.first { $0["kind"]?.text == "maintenance" }?["text"]?.text == "A new disk.")
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        try announce(world, in: .seconds(1_800))
        try world.turn()
        #expect(warnings(world) == [])
    }

    @Test func `What cannot be is refused, and no more than twenty`() throws {
        let world = try World.withWatchedAlice()
        func outcome(_ from: Duration, _ to: Duration) throws -> JSONValue? {
            let now = world.now
            let answers = try world.operate(
                .announceMaintenance(
                    from: now + from, to: now + to, try MaintenanceText("Cables")))
            return answers.first?["problem"]?["type"]
        }
        #expect(
            try outcome(.seconds(60), .seconds(30)) == .string("urn:kith:problem:invalid"))
        #expect(
            try outcome(.seconds(-60), .seconds(-30)) == .string("urn:kith:problem:invalid"))
        for _ in 1...BridgeSettings.maximumMaintenances {
            #expect(try outcome(MaintenanceTests.day * 5, MaintenanceTests.day * 6) == nil)
        }
        #expect(
            try outcome(MaintenanceTests.day * 5, MaintenanceTests.day * 6)
                == .string("urn:kith:problem:too-many"))
        #expect(throws: DisplayName.Reason.self) { try MaintenanceText("a\nb") }
    }

    @Test func `Many people are warned, a hundred in a turn, each once`() throws {
        let world = try World()
        for number in 1...250 {
            let name = try #require(Name("user\(number)"))
            try world.addUsers(name)
            let sender = Sender("user\(number)")
            _ = try world.ask(sender, "vitals.consent")
            _ = try world.ask(sender, "emergency.subscribe")
        }
        _ = world.published()
        world.goesOn = false
        let from = world.now + .seconds(1_800)
        try world.operate(
            .announceMaintenance(from: from, to: from + .seconds(60), try MaintenanceText("Cables"))
        )
        try world.restart()
        try world.pass(.seconds(10))
        let told = world.published().filter { $0.topic.hasSuffix("/notices") }
        #expect(Set(told.map(\.topic)).count == 250)
        #expect(Set(told.compactMap { JSONValue.read($0.payload)["id"]?.text }).count == 250)
    }
}
