import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Helpers' responses to a call for help.
struct ResponseTests {
    /// Alice calls; Bob, Carol and she are in the family.
    private func world() throws -> (World, String) {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        let alert = "\(world.names.lastAlert)"
        world.sleep(.seconds(5))
        _ = world.published()
        return (world, alert)
    }

    private func say(_ kind: String, _ alert: String) -> String {
        #"{"alert":"\#(alert)","kind":"\#(kind)"}"#
    }

    private func kinds(_ value: JSONValue?) -> [String] {
        (value?["responses"]?.elements ?? []).map {
            "\($0["user"]?.text ?? "?") \($0["kind"]?.text ?? "?")"
        }
    }

    private func notices(_ world: World, of user: String) throws -> [String] {
        let list = try world.ask(Sender(user), "notice.list")["result"]?["notices"]?.elements ?? []
        return list.compactMap { $0["kind"]?.text }.filter { $0.hasPrefix("helper") }
    }

    @Test func `A response is published to the group, shown in the state and as a notice`() throws {
        let (world, alert) = try world()
        let reply = try world.ask("bob", "alert.acknowledge", say("coming", alert))
        #expect(kinds(reply["result"]?["alert"]) == ["bob coming"])
        #expect(reply["result"]?["alert"]?["acknowledgedBy"] == .array([.string("bob")]))
        let told = world.published().filter { $0.topic.hasSuffix("/alerts") }
        #expect(told.map { JSONValue.read($0.payload) } == [reply["result"]?["alert"]])
        #expect(kinds(world.state(of: "alice")) == ["bob coming"])
        let shown = world.state(of: "alice")["responses"]?.elements.first
        #expect(shown?["name"]?.text == "Bob")
        #expect(shown?["at"]?.text == world.now.rfc3339)
        #expect(try notices(world, of: "alice") == ["helper-coming"])
        // Repeating it changes nothing.
        world.sleep(.seconds(1))
        try world.ask("bob", "alert.acknowledge", say("coming", alert))
        #expect(!world.published().contains { $0.topic.hasSuffix("/alerts") })
        // It survives a restart, and nothing has to be published again.
        try world.restart()
        #expect(kinds(world.state(of: "alice")) == ["bob coming"])
    }

    @Test func `A helper has the user name beside the name while another member looks the same`()
        throws
    {
        let (world, alert) = try world()
        _ = try world.ask("bob", "alert.acknowledge", say("coming", alert))
        func name() -> String? {
            world.state(of: "alice")["responses"]?.elements.first?["name"]?.text
        }
        #expect(name() == "Bob")
        try world.addUsers("bobby")
        try world.operate(.renameUser("bobby", try DisplayName("Bob")))
        #expect(name() == "Bob")
        try world.operate(.addMember(world.names["family"], "bobby"))
        #expect(name() == "Bob (bob)")
        try world.operate(.renameUser("bobby", try DisplayName("Bobby")))
        #expect(name() == "Bob")
        try world.operate(.renameUser("carol", try DisplayName("Bob")))
        #expect(name() == "Bob (bob)")
        let group = #"{"group":"\#(world.names["family"])"}"#
        #expect(try world.outcome("carol", "group.leave", group) == "ok")
        #expect(name() == "Bob")
    }

    @Test func `Repeated changes of a response notify the caller once of each kind`() throws {
        let (world, alert) = try world()
        for kind in ["coming", "not-coming", "coming", "not-coming", "called", "seen"] {
            world.sleep(.seconds(2))
            #expect(try world.outcome("carol", "alert.acknowledge", say(kind, alert)) == "ok")
        }
        #expect(kinds(world.state(of: "alice")) == ["carol called"])
        #expect(
            try notices(world, of: "alice") == [
                "helper-called", "helper-not-coming", "helper-coming",
            ])
    }

    private func repetitions(_ world: World) -> Int {
        world.published().filter { $0.topic.hasSuffix("/alerts") }
            .count { JSONValue.read($0.payload)["repetition"] != nil }
    }

    @Test(arguments: ["seen", "not-coming"])
    func `A call seen by one of several is repeated until a second has seen it`(kind: String) throws
    {
        let (world, alert) = try world()
        #expect(try world.outcome("bob", "alert.acknowledge", say(kind, alert)) == "ok")
        _ = world.published()
        try world.pass(.seconds(60))
        #expect(repetitions(world) == 1)
        #expect(try world.outcome("bob", "alert.acknowledge", say(kind, alert)) == "ok")
        try world.pass(.seconds(60))
        #expect(repetitions(world) == 1, "one member twice is one")
        #expect(try world.outcome("carol", "alert.acknowledge", say("seen", alert)) == "ok")
        _ = world.published()
        try world.pass(.seconds(300))
        #expect(repetitions(world) == 0)
    }

    @Test(arguments: ["coming", "called"])
    func `A call is not repeated once a helper is coming or has called`(kind: String) throws {
        let (world, alert) = try world()
        #expect(try world.outcome("bob", "alert.acknowledge", say(kind, alert)) == "ok")
        _ = world.published()
        try world.pass(.seconds(300))
        #expect(repetitions(world) == 0)
    }

    @Test func `A call is repeated again when its only helper withdraws`() throws {
        let (world, alert) = try world()
        _ = try world.ask("bob", "alert.acknowledge", say("coming", alert))
        _ = try world.ask("carol", "alert.acknowledge", say("seen", alert))
        try world.pass(.seconds(120))
        _ = world.published()
        _ = try world.ask("bob", "alert.acknowledge", say("not-coming", alert))
        _ = world.published()
        try world.restart()
        try world.pass(.seconds(60))
        #expect(repetitions(world) == 2, "the one that was due, and the next")
    }

    @Test func `A call that two have seen is repeated again when they leave`() throws {
        let (world, alert) = try world()
        try world.addUsers("eve")
        try world.operate(.addMember(world.names["family"], "eve"))
        for helper in ["bob", "carol"] as [Sender] {
            #expect(try world.outcome(helper, "alert.acknowledge", say("seen", alert)) == "ok")
        }
        try world.pass(.seconds(120))
        #expect(repetitions(world) == 0)
        for helper in ["bob", "carol"] as [Sender] {
            #expect(try world.outcome(helper, "group.leave", #"{"group":"$family"}"#) == "ok")
        }
        try world.pass(.seconds(60))
        #expect(repetitions(world) > 0)
    }

    @Test func `Responses end with the SOS, but the alert keeps them`() throws {
        let (world, alert) = try world()
        try world.ask("bob", "alert.acknowledge", say("coming", alert))
        try world.ask("alice", "sos.stop")
        #expect(world.state(of: "alice")["responses"] == nil)
        let list = try world.ask("carol", "alert.list", #"{"group":"$family"}"#)["result"]
        let past = list?["alerts"]?.elements.first { $0["id"]?.text == alert }
        #expect(kinds(past) == ["bob coming"])
        // A late response counts as seen, but not as help.
        world.sleep(.seconds(2))
        let late = try world.ask("carol", "alert.acknowledge", say("coming", alert))
        #expect(kinds(late["result"]?["alert"]) == ["bob coming"])
        #expect(late["result"]?["alert"]?["acknowledgedBy"]?.elements.count == 2)
        #expect(try notices(world, of: "alice") == ["helper-coming"])
    }

    @Test func `Leaving drops a response; neither ex-members nor the caller can respond`() throws {
        let (world, alert) = try world()
        try world.ask("bob", "alert.acknowledge", say("coming", alert))
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(world.state(of: "alice")["responses"] == nil)
        #expect(
            try world.outcome("bob", "alert.acknowledge", say("called", alert)) == "unknown-alert")
        world.sleep(.seconds(2))
        let own = try world.ask("alice", "alert.acknowledge", say("coming", alert))
        #expect(kinds(own["result"]?["alert"]) == ["bob coming"])
        #expect(world.state(of: "alice")["responses"] == nil)
    }

    @Test func `A helper can come only to a call for help`() throws {
        let (world, _) = try world()
        try world.ask("alice", "sos.stop")
        world.sleep(.seconds(5))
        let end = "\(world.names.lastAlert)"
        #expect(
            try world.outcome("bob", "alert.acknowledge", say("coming", end))
                == "invalid: kind is only for calls for help")
        #expect(try world.outcome("bob", "alert.acknowledge", say("seen", end)) == "ok")
    }

    @Test func `An SOS on a journey states that the journey continues afterwards`() throws {
        let world = try World.withFamily()
        let eta = world.now.milliseconds + 600_000
        try world.ask("alice", "journey.start", #"{"groups":["$family"],"eta":\#(eta)}"#)
        world.sleep(.seconds(5))
        _ = world.published()
        try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        let told = world.published().last { $0.topic.hasSuffix("/alerts") }
        let alert = JSONValue.read(told?.payload ?? [])
        #expect(alert["journeyWaits"] == .bool(true))
        #expect(
            alert["text"]?.text
                == "Alice has sent an SOS and needs help! The journey resumes when the SOS is over."
        )
    }
}
