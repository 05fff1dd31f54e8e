import Contract
import JSON
import Sealing
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Which groups are alerted about a person's vital signs: Alice is in the Family with Bob, and at
/// Work with Carol.
struct AlertedGroupsTests {
    private func world(choosing groups: String? = #""$family""#) throws -> World {
        let world = try World.withNeighbours()
        try world.turn([world.status("alice", "online")])
        try world.fix("alice", TestFix(100))
        try world.ask("alice", "vitals.consent")
        let fields = groups.map { #"{"groups":[\#($0)]}"# } ?? ""
        #expect(try world.outcome("alice", "emergency.subscribe", fields) == "ok")
        _ = world.published()
        return world
    }

    // MARK: Choosing

    @Test func `Subscribing without a choice selects the current groups and no later one`() throws {
        let world = try world(choosing: nil)
        try world.addGroup("Band", "alice", "dave")
        #expect(try world.alerted() == ["family", "work"])
        #expect(try world.outcome("alice", "emergency.subscribe", #"{"phone":"112"}"#) == "ok")
        #expect(try world.alerted() == ["family", "work"])
        _ = world.published()
        try world.collapse()
        #expect(world.alerts() == ["family: in-need", "work: in-need"])
        #expect(world.state(of: "alice", in: "band")["state"]?.text == "inactive")
    }

    @Test(arguments: [
        (#"{"groups":[]}"#, "invalid: groups must not be empty"),
        (#"{"groups":"all"}"#, "invalid: groups must be a list of group ids"),
        (#"{"groups":[7]}"#, "invalid: groups[0] is not a group id"),
        (#"{"groups":["$choir"]}"#, "not-a-member"),
        (#"{"groups":["$family","$nowhere"]}"#, "unknown-group"),
    ])
    func `Choosing invalid groups is rejected and changes nothing`(
        _ fields: String, _ outcome: String
    ) throws {
        let world = try world()
        #expect(try world.outcome("alice", "emergency.subscribe", fields) == outcome)
        #expect(try world.alerted() == ["family"])
        #expect(world.published().news == [])
    }

    @Test func `Choosing too many groups is rejected`() throws {
        let world = try world()
        let groups = (0...GroupSelection.maximum).map { _ in #""$family""# }.joined(separator: ",")
        #expect(
            try world.outcome("alice", "emergency.subscribe", #"{"groups":[\#(groups)]}"#)
                == "invalid: groups must have at most \(GroupSelection.maximum) ids")
    }

    @Test func `Choosing other groups notifies the person and is exported`() throws {
        let world = try world()
        #expect(
            try world.outcome("alice", "emergency.subscribe", #"{"groups":["$work"]}"#) == "ok")
        #expect(world.published().news == ["alice: monitoring-changed"])
        try world.restart()
        #expect(try world.alerted() == ["work"])
        let item = try world.exported("alice").first { $0["type"]?.text == "monitoring" }
        #expect(item?["groups"]?.elements.map(\.text) == [world.names["work"].text])
    }

    @Test func `A chosen group that is left and rejoined is no longer chosen`() throws {
        let world = try world(choosing: #""$family","$work""#)
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$work"}"#) == "ok")
        #expect(try world.outcome("carol", "group.create", #"{"name":"Office"}"#) == "ok")
        try world.operate(.addMember(world.names["work"], "alice"))
        #expect(try world.alerted() == ["family"])
    }

    @Test func `Leaving all chosen groups falls back to all remaining groups`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try world.alerted() == ["work"])
        _ = world.published()
        try world.collapse()
        #expect(world.alerts() == ["work: in-need"])
    }

    @Test func `A row stored by a Kith that alerted all selects the groups of the next start`()
        throws
    {
        let world = try world()
        let keys = try #require(world.settings.sealingKeys)
        var random = SystemRandomNumberGenerator()
        let row = try #require(try world.store.transaction { try $0.monitors().first })
        var monitored = try #require(try row.opened(with: keys))
        monitored.groups = nil
        try world.store.transaction { transaction in
            try transaction.save(
                MonitorRow(
                    user: row.user, since: row.since,
                    keys.seal(
                        monitored.stored, as: MonitorRow.context(row.user), using: &random)))
        }
        try world.restart()
        try world.addGroup("Band", "alice", "dave")
        try world.restart()
        #expect(try world.alerted() == ["family", "work"])
    }

    // MARK: In need

    @Test func `An unchosen group sees nothing when the person is in need`() throws {
        let world = try world()
        let before = world.state(of: "alice", in: "work")
        try world.collapse()
        try world.fix("alice", TestFix(150))
        try world.answer(#"{"status":"acknowledged"}"#)
        #expect(world.alerts() == ["family: in-need", "family: assisted"])
        #expect(world.state(of: "alice")["cause"]?.text == "vital-signs")
        #expect(!world.segments(of: "alice").isEmpty)
        #expect(world.state(of: "alice", in: "work") == before)
        #expect(world.segments(of: "alice", in: "work") == [])
        let listed = try world.ask("carol", "alert.list", #"{"group":"$work"}"#)["result"]
        #expect(listed?["alerts"] == .array([]))
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(world.alerts() == ["family: sos-stopped"])
        #expect(world.state(of: "alice", in: "work") == before)
    }

    @Test func `A restart repeats an in-need alert to the same group`() throws {
        let world = try world()
        try world.collapse()
        try world.restart()
        _ = world.published()
        try world.pass(.seconds(61))
        #expect(Set(world.alerts()) == ["family: in-need", "family: unanswered"])
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "inactive")
    }

    @Test func `Unsubscribing while in need keeps the unanswered alert in the same group`() throws {
        let world = try world()
        try world.collapse()
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        _ = world.published()
        try world.pass(.seconds(61))
        #expect(Set(world.alerts()) == ["family: in-need", "family: unanswered"])
    }

    @Test func `Choosing other groups while in need keeps the alerts in the called group`() throws {
        let world = try world()
        try world.collapse()
        #expect(
            try world.outcome("alice", "emergency.subscribe", #"{"groups":["$work"]}"#) == "ok")
        _ = world.published()
        try world.pass(.seconds(61))
        #expect(Set(world.alerts()) == ["family: in-need", "family: unanswered"])
    }

    @Test func `Unsubscribing in need during an SOS hides the reason from other groups`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        try world.collapse()
        #expect(try world.outcome("alice", "emergency.unsubscribe") == "ok")
        _ = world.published()
        try world.pass(.seconds(61))
        #expect(world.alerts().filter { $0.hasSuffix("unanswered") } == ["family: unanswered"])
    }

    @Test func `A chosen group without other members falls back to all groups`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try world.alerted() == ["work"])
        _ = world.published()
        try world.collapse()
        #expect(world.alerts() == ["work: in-need"])
    }

    @Test func `A group joined while in need is not notified`() throws {
        let world = try world()
        try world.collapse()
        _ = world.published()
        try world.addGroup("Band", "alice", "dave")
        #expect(world.alerts() == [])
        #expect(world.state(of: "alice", in: "band")["state"]?.text == "inactive")
    }

    @Test func `The only group alerted to a need cannot be left`() throws {
        let world = try world()
        try world.collapse()
        #expect(
            try world.outcome("alice", "group.leave", #"{"group":"$family"}"#) == "already-in-sos")
    }

    @Test func `Silence of vital signs alerts only the chosen group`() throws {
        let world = try world()
        try world.pass(.seconds(1_801))
        try world.measure(#""heartRate":70"#)
        #expect(
            world.alerts().filter { $0.contains("vitals") } == [
                "family: vitals-silent", "family: vitals-back",
            ])
    }

    // MARK: The person calls

    @Test func `A manual SOS while in need alerts all groups and stays the person's`() throws {
        let world = try world()
        // An app that counts its requests from 1 has called under this id before.
        let call = #"{"id":"1"}"#
        #expect(try world.outcome("alice", "sos.trigger", call) == "ok")
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        try world.pass(.seconds(600))
        try world.restart()
        try world.pass(.seconds(120))
        try world.collapse()
        _ = world.published()
        #expect(try world.outcome("alice", "sos.trigger", call) == "ok")
        #expect(world.alerts() == ["family: sos", "work: sos"])
        #expect(world.state(of: "alice")["cause"]?.text == "person")
        #expect(world.state(of: "alice", in: "work")["cause"]?.text == "person")
        #expect(try world.outcome("alice", "emergency.reactivate") == "ok")
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "sos")
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":"2"}"#) == "already-in-sos")
    }

    @Test func `An OwnTracks SOS while in need alerts all groups`() throws {
        let world = try world()
        try world.collapse()
        _ = world.published()
        try world.turn([
            world.ownTracks(
                "alice/app", Phone.location(200, at: world.now, #","poi":"SOS""#))
        ])
        #expect(world.alerts() == ["family: sos", "work: sos"])
    }

    @Test func `A manual SOS keeps being repeated beside an in-need alert`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        _ = world.published()
        try world.collapse()
        #expect(world.alerts() == ["family: in-need"])
        try world.pass(.seconds(62))
        #expect(Set(world.alerts()) == ["family: in-need", "family: unanswered", "work: sos"])
    }

    // MARK: A journey

    @Test func `A journey continues in a group that is not alerted`() throws {
        let world = try world()
        let eta = (world.now + .seconds(300)).milliseconds
        #expect(
            try world.outcome("alice", "journey.start", #"{"groups":["$work"],"eta":\#(eta)}"#)
                == "ok")
        try world.fix("alice", TestFix(110))
        try world.collapse()
        try world.fix("alice", TestFix(150))
        func modes(_ group: String) -> Set<String?> {
            Set(world.segments(of: "alice", in: group).map { $0["mode"]?.text })
        }
        for isRestarted in [false, true] {
            if isRestarted { try world.restart() }
            #expect(modes("family") == ["sos"] && modes("work") == ["journey"])
            let path = try world.ask("carol", "path.get", #"{"group":"$work","user":"alice"}"#)
            #expect("\(path)".contains(#""journey""#) && !"\(path)".contains(#""sos""#))
        }
        let state = world.state(of: "alice", in: "work")
        #expect(state["state"]?.text == "routing" && state["cause"] == nil)
        _ = world.published()
        try world.pass(.seconds(300))
        #expect(world.alerts().contains("work: late"))
        #expect(!world.alerts().contains("family: late"))
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        try world.fix("alice", TestFix(160))
        #expect(modes("work") == ["journey"])
        #expect(world.state(of: "alice", in: "work")["warnings"]?.elements.map(\.text) == ["late"])
    }
}

extension World {
    /// The groups that Alice has chosen, by name.
    fileprivate func alerted() throws -> [String] {
        try watched()["groups"]?.elements.compactMap { key in
            key.text.flatMap { GroupKey($0) }.flatMap { names.name(of: $0) }
        } ?? []
    }

    /// The alerts since the last time, with their groups.
    fileprivate func alerts() -> [String] {
        published().compactMap { publication in
            guard case .alerts(let key) = topics.parse(publication.topic) else { return nil }
            let kind = JSONValue.read(publication.payload)["kind"]?.text ?? "?"
            return "\(names.name(of: key) ?? "?"): \(kind)"
        }
    }
}
