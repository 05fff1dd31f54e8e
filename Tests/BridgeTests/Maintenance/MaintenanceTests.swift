import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

/// Watched users are warned 48 hours and one hour before monitoring stops, once each.
struct MaintenanceTests {
    private static let day = Duration.seconds(86_400)

    @discardableResult
    private func announce(_ world: World, in lead: Duration, for length: Duration = .seconds(7_200))
        throws -> UUIDv7
    {
        let from = world.now + lead
        let answers = try world.operate(
            .announceMaintenance(from: from, to: from + length, try MaintenanceText("A new disk.")))
        return try #require(
            answers.first?["result"]?["maintenance"]?.text.flatMap { UUIDv7($0) })
    }

    /// The warnings sent to Alice since the last call, marked if they are late or the last.
    private func warnings(_ world: World) -> [String] {
        world.published().filter { $0.topic == "kith/users/alice/notices" }
            .map { JSONValue.read($0.payload) }
            .filter { $0["kind"]?.text?.hasPrefix("maintenance") == true }
            .map {
                guard $0["kind"]?.text == "maintenance" else { return "cancelled" }
                return ($0["moved"] == .bool(true) ? "moved, " : "")
                    + ($0["last"] == .bool(true) ? "last" : "first")
                    + ($0["late"] == .bool(true) ? ", late" : "")
            }
    }

    @Test func `Maintenance is announced 48 hours and one hour before, even across restarts`()
        throws
    {
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
    func `Late maintenance is announced immediately and marked as late`(
        lead: Duration, told: [String]
    ) throws {
        let world = try World.withWatchedAlice()
        try announce(world, in: lead)
        try world.turn()
        #expect(warnings(world) == told)
        try world.pass(.seconds(48 * 3_600))
        #expect(warnings(world) == (told[0].hasPrefix("first") ? ["last"] : []))
    }

    @Test func `Only watched users are warned before maintenance begins`() throws {
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

    @Test func `Users who subscribe after the others were warned are warned immediately`() throws {
        let world = try World.withWatchedAlice()
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        try announce(world, in: .seconds(47 * 3_600))
        try world.turn()
        try world.pass(.seconds(3_600))
        #expect(warnings(world) == [])
        #expect(try world.outcome("alice", "emergency.subscribe") == "ok")
        #expect(warnings(world) == ["first"])
        // A second time changes nothing for her.
        #expect(try world.outcome("alice", "emergency.subscribe") == "ok")
        #expect(warnings(world) == [])
        try world.pass(.seconds(46 * 3_600))
        #expect(warnings(world) == ["last"])
    }

    @Test func `Moved maintenance is announced again immediately and one hour before`() throws {
        let world = try World.withWatchedAlice()
        let id = try announce(world, in: .seconds(10 * 3_600))
        try world.turn()
        #expect(warnings(world) == ["first, late"])
        let from = world.now + .seconds(20 * 3_600)
        try world.operate(.moveMaintenance(id, from: from, to: from + .seconds(60), nil))
        #expect(warnings(world) == ["moved, first, late"])
        try world.restart()
        _ = world.published()
        try world.pass(.seconds(18 * 3_600))
        #expect(warnings(world) == [])
        try world.pass(.seconds(3_600))
        #expect(warnings(world) == ["last"])
        // To a day that is far away: both warnings are still to come.
        let later = world.now + .seconds(100 * 3_600)
        try world.operate(.moveMaintenance(id, from: later, to: later + .seconds(60), nil))
        try world.turn()
        #expect(warnings(world) == ["moved, first"])
        try world.pass(.seconds(52 * 3_600))
        #expect(warnings(world) == ["first"])
        try world.pass(.seconds(47 * 3_600))
        #expect(warnings(world) == ["last"])
    }

    @Test func `Maintenance not yet announced is moved and cancelled silently`() throws {
        let world = try World.withWatchedAlice()
        let id = try announce(world, in: MaintenanceTests.day * 5)
        let from = world.now + MaintenanceTests.day * 6
        try world.operate(.moveMaintenance(id, from: from, to: from + .seconds(60), nil))
        try world.turn()
        #expect(warnings(world) == [])
        let listed = try world.operate(.listMaintenances)
        #expect(
            listed.first?["result"]?["maintenances"]?.elements.map { $0["from"]?.text }
                == [from.rfc3339])
        try world.operate(.cancelMaintenance(id))
        try world.pass(MaintenanceTests.day * 6)
        #expect(warnings(world) == [])
        #expect(try world.count("maintenances") == 0)
    }

    @Test func `Cancelling announced maintenance notifies once, even across a restart`() throws {
        let world = try World.withWatchedAlice()
        let id = try announce(world, in: .seconds(10 * 3_600))
        try world.turn()
        _ = world.published()
        try world.operate(.cancelMaintenance(id))
        #expect(warnings(world) == ["cancelled"])
        try world.restart()
        _ = world.published()
        let again = try world.operate(.cancelMaintenance(id))
        #expect(again.first?["problem"]?["type"] == .string("urn:kith:problem:invalid"))
        try world.pass(MaintenanceTests.day)
        #expect(warnings(world) == [])
        #expect(try world.count("maintenances") == 0)
    }

    @Test func `Invalid maintenance and more than twenty entries are rejected`() throws {
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

    @Test func `Many users are warned a hundred per turn, each once`() throws {
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
