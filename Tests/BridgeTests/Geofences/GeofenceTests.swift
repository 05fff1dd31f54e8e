import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Notices about people who have agreed: they arrive at a place, leave it, or are not there.
struct GeofenceTests {
    // MARK: When

    @Test func `A rule applies on given days and hours, or once`() throws {
        let world = try World.withFamily()
        // Friday, noon in Ljubljana.
        for (fields, told) in [
            (#""days":["fr"],"from":"07:00","to":"14:00""#, ["bob: place-arrived"]),
            (#""days":["mo","su"]"#, []), (#""from":"11:00","to":"11:30""#, []),
            (#""from":"22:00","to":"14:00""#, ["bob: place-arrived"]),
        ] as [(String, [String])] {
            let rule = try world.addRule(
                #""when":"arrives","user":"alice","timeZone":"Europe/Ljubljana",\#(fields)"#)
            _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
            _ = world.published()
            try world.visit(by: "alice")
            #expect(world.published().news == told, "\(fields)")
            _ = try world.ask("bob", "geofence.rule.end", #"{"rule":"\#(rule)"}"#)
        }
        let once = try world.addRule(#""when":"leaves","user":"alice","once":true"#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(once)","agree":true}"#)
        _ = world.published()
        try world.visit(by: "alice")
        try world.walk("alice", to: [2_000, 2_000, 0, 0, 2_000, 2_000])
        #expect(world.published().news == ["bob: place-left"])
    }

    @Test func `A person not there by the due time is missed on the rule's days`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(
            #""when":"not-there","by":"12:15","user":"alice","timeZone":"Europe/Ljubljana","#
                + #""days":["fr","mo"]"#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = world.published()
        try world.walk("alice", to: [2_000, 2_000])
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T10:14:59Z")))
        #expect(world.published().news == [])
        try world.restart()
        try world.pass(.seconds(1))
        let notice = try #require(world.published().first { $0.topic == "kith/users/bob/notices" })
        #expect(JSONValue.read(notice.payload)["kind"]?.text == "place-missed")
        #expect(JSONValue.read(notice.payload)["dueAt"]?.text == "2026-05-01T10:15:00.000Z")
        // On Monday she is there.
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-04T09:00:00Z")))
        try world.walk("alice", to: [0, 0])
        _ = world.published()
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-04T12:00:00Z")))
        #expect(!world.published().news.contains("bob: place-missed"))
        // On Friday the service is down at a quarter past twelve, and she is not there.
        try world.walk("alice", to: [2_000, 2_000])
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-08T10:00:00Z")))
        _ = world.published()
        world.sleep(.seconds(3_600))
        try world.restart()
        try world.turn([], .timers)
        #expect(world.published().news.contains("bob: place-missed"))
        // A time long past is not reported.
        world.sleep(.seconds(6 * 86_400))
        try world.restart()
        _ = world.published()
        try world.turn([], .timers)
        #expect(!world.published().news.contains("bob: place-missed"))
    }

    @Test func `A clock that was a year ahead for a moment silences no rule`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(
            #""when":"not-there","by":"12:15","user":"alice","timeZone":"Europe/Ljubljana""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        let before = world.now
        world.sleep(.seconds(365 * 86_400))
        try world.turn([], .rescheduling)
        try world.turn([], .timers)
        world.sleep(before - world.now)
        try world.turn([], .rescheduling)
        _ = world.published()
        try world.pass(.seconds(2 * 86_400))
        #expect(world.published().news.count { $0 == "bob: place-missed" } == 2)
    }

    @Test func `Late and bad positions notify no one, and the edge notifies once`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.walk("alice", to: [2_000, 2_000])
        _ = world.published()
        // Kept on the way, and sent hours later.
        try world.pass(.seconds(3_600))
        for ago in [3_000.0, 2_000, 1_000] { try world.fix("alice", TestFix(0, ago: ago)) }
        #expect(world.published().news == [])
        // A jump, and positions that may be anywhere.
        try world.walk("alice", to: [2_000, 0, 2_000, 2_000])
        for _ in 1...3 {
            try world.pass(.seconds(20))
            try world.fix("alice", TestFix(50, accuracy: 190))
        }
        #expect(world.published().news == [])
        // Back and forth at the edge: one arrival, and no departure before she has really left.
        try world.walk("alice", to: [95, 95, 105, 95, 110, 118, 95, 105, 120, 99])
        #expect(world.published().news == ["bob: place-arrived"])
    }

    /// Bob waits for Alice, who was seen 2 km away.
    private func waiting() throws -> World {
        let world = try World.withFamily()
        let rule = try world.addRule(
            #""when":"not-there","by":"12:15","user":"alice","timeZone":"Europe/Ljubljana""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.walk("alice", to: [2_000, 2_000])
        _ = world.published()
        return world
    }

    private func passDueTime(_ world: World) throws {
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T10:15:01Z")))
    }

    /// Positions: seconds before the due time when taken and when received; at the place or not.
    @Test(
        arguments: [
            // One good position, and silence.
            ([(60, 60, true)], false),
            // Late ones, also of an hour ago.
            ([(400, 20, true)], false), ([(620, 20, true), (400, 20, true)], false),
            // Something newer says otherwise, whichever came first.
            ([(400, 20, true), (300, 20, false)], true),
            ([(300, 20, false), (400, 20, true)], true),
            ([(60, 60, true), (30, 30, false)], true),
            ([(90, 90, true), (60, 60, true), (30, 30, false)], true),
            ([(90, 90, true), (60, 60, true), (400, 30, false)], false),
            ([], true),
        ] as [([(Int, Int, Bool)], Bool)])
    func `A rule considers all positions before it reports a person missing`(
        _ positions: [(taken: Int, comes: Int, isThere: Bool)], _ isMissed: Bool
    ) throws {
        let world = try waiting()
        let due = try #require(Timestamp(rfc3339: "2026-05-01T10:15:00Z"))
        for (taken, comes, isThere) in positions {
            try world.pass(until: due - .seconds(comes))
            try world.fix(
                "alice", TestFix(isThere ? 0 : 2_000, ago: Double(taken - comes), accuracy: 5))
        }
        try world.restart()
        try passDueTime(world)
        #expect(world.published().news.contains("bob: place-missed") == isMissed)
        #expect(!world.published().news.contains("bob: place-arrived"))
    }

    @Test func `A person who only drives past is reported missing`() throws {
        let world = try waiting()
        try world.pass(until: try #require(Timestamp(rfc3339: "2026-05-01T10:14:55Z")))
        try world.fix("alice", TestFix(0, speed: 14, accuracy: 5))
        try passDueTime(world)
        #expect(world.published().news == ["bob: place-missed"])
    }

    @Test func `No one is reported missing while earlier messages can still arrive`() throws {
        let world = try waiting()
        world.sleep(.seconds(3_600))
        try world.restart()
        try world.turn([], [.timers, .catchingUp])
        #expect(world.published().news == [])
        try world.fix("alice", TestFix(0, ago: 3_300, accuracy: 5))
        try world.turn([], .timers)
        #expect(world.published().news == [])
    }

    // MARK: Apps

    @Test func `Regions of an OwnTracks app are places, and its transitions count`() throws {
        let world = try World.withFamily()
        try world.send(
            world.ownTracks(
                "bob", #"{"_type":"waypoint","desc":"Home","lat":46,"lon":14.5,"rad":80,"tst":7}"#,
                suffix: "waypoint"))
        let places = try world.ask("bob", "geofence.list")["result"]?["geofences"]?.elements
        #expect(places?.count == 1 && places?[0]["name"]?.text == "Home")
        let fence = places?[0]["geofence"]?.text ?? ""
        let added = try world.ask(
            "bob", "geofence.rule.add",
            #"{"geofence":"\#(fence)","when":"leaves","user":"bob","tell":{"user":"alice"}}"#)
        #expect(added.outcome == "ok", "your own rule needs no consent")
        _ = world.published()
        func transition(_ event: String) throws {
            try world.send(
                world.ownTracks(
                    "bob",
                    #"{"_type":"transition","event":"\#(event)","desc":"Home","wtst":7,"#
                        + #""tst":\#(world.now.milliseconds / 1_000)}"#, suffix: "event"))
        }
        try transition("enter")
        #expect(world.published().news == [])
        try world.pass(.seconds(60))
        try transition("leave")
        #expect(world.published().news == ["alice: place-left"])
        try transition("leave")
        #expect(world.published().news == [])
        // The same again changes nothing; elsewhere it is moved.
        for (latitude, count) in [("46", 1), ("46.5", 1)] {
            try world.send(
                world.ownTracks(
                    "bob",
                    #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Home","#
                        + #""lat":\#(latitude),"lon":14.5,"rad":80,"tst":7}]}"#,
                    suffix: "waypoints"))
            #expect(try world.count("geofences") == count)
        }
    }

    @Test func `A region that an app has from the page is not a second place`() throws {
        let world = try World.withFamily()
        _ = try world.addFence(by: "bob")
        for name in ["School", "School", "Old school"] {
            try world.send(
                world.ownTracks(
                    "bob",
                    #"{"_type":"waypoint","desc":"\#(name)","lat":46,"lon":14.5,"rad":100,"tst":9}"#,
                    suffix: "waypoint"))
        }
        let places = try world.ask("bob", "geofence.list")["result"]?["geofences"]?.elements
        #expect(places?.map { $0["name"]?.text } == ["Old school"])
    }

    @Test func `Apps receive an arrival as a transition at the place`() throws {
        let world = try World.withFamily()
        try world.send(world.ownTracks("bob", #"{"_type":"lwt"}"#))
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        _ = world.published()
        try world.visit(by: "alice")
        let event = try #require(
            world.published().first { $0.topic == "owntracks/bob/@alice/event" })
        let shown = JSONValue.read(event.payload)
        #expect(shown["event"]?.text == "enter" && shown["desc"]?.text == "School")
        #expect(shown["lat"]?.number == 46 && !event.retain)
    }

    // MARK: Requests and deletion

    @Test func `All invalid fields are reported at once by name`() throws {
        let world = try World.withFamily()
        #expect(
            try world.ask("bob", "geofence.create", #"{"name":"","radius":1,"kind":"zoo"}"#)
                .wrongFields == ["name", "latitude", "longitude", "radius", "kind"])
        let fence = try world.addFence(by: "bob")
        for (fields, wrong) in [
            ("", ["when", "user"]), (#""when":"flies","user":"alice""#, ["when"]),
            (#""when":"not-there","user":"alice""#, ["by", "timeZone"]),
            (#""when":"not-there","by":"08:15","user":"alice""#, ["timeZone"]),
            (
                #""when":"arrives","user":"alice","days":["monday"],"from":"7:00""#,
                ["days", "from", "to", "timeZone"]
            ),
            (#""when":"arrives","user":"alice","timeZone":"Nowhere/At_all""#, ["timeZone"]),
            (#""when":"arrives","user":"alice","tell":{}"#, ["tell.user"]),
        ] {
            let reply = try world.ask(
                "bob", "geofence.rule.add",
                #"{"geofence":"\#(fence)"\#(fields.isEmpty ? "" : ",")\#(fields)}"#)
            #expect(reply.wrongFields == wrong, "\(fields)")
        }
        #expect(
            try world.outcome("alice", "geofence.delete", #"{"geofence":"\#(fence)"}"#)
                == "unknown-place")
    }

    @Test(arguments: [false, true])
    func `An arrival during a call for help is reported after the call`(isSecondFix: Bool) throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        try world.walk("alice", to: [2_000, 2_000] + (isSecondFix ? [0] : []))
        _ = world.published()
        try world.pass(.seconds(30))
        try world.turn([
            world.requestMessage("bob", "sos.trigger"),
            world.fixMessage("alice", TestFix(0, accuracy: 5)),
        ])
        #expect(!world.published().news.contains("bob: place-arrived"))
        // Her phone lies still and sends no other position.
        try world.pass(GeofencePresence.patience)
        #expect(world.published().news.contains("bob: place-arrived"))
    }

    @Test func `Deleting an account deletes its rules, but a group keeps its places`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        _ = try world.ask("alice", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
        let group = world.names["family"]
        _ = try world.ask(
            "bob", "geofence.create",
            #"{"name":"Club","latitude":46,"longitude":14.5,"group":"\#(group)"}"#)
        try world.visit(by: "alice")
        try world.operate(.removeUser("bob"))
        try world.pass(.seconds(60))
        #expect(try world.count("geofence_rules") == 0)
        #expect(try world.count("geofence_consents") == 0)
        #expect(try world.count("geofence_presences") == 0)
        #expect(try world.count("geofences") == 1)
        let left = try world.ask("alice", "geofence.list")["result"]?["geofences"]?.elements
        #expect(left?.map { $0["name"]?.text } == ["Club"])
        // A later change of the place names no one.
        let place = try #require(left?.first?["geofence"]?.text)
        let renaming = #"{"geofence":"\#(place)","name":"Team"}"#
        #expect(try world.outcome("alice", "geofence.update", renaming) == "ok")
        #expect(
            try world.count("geofences", where: "name = 'Team' AND user_id IS NULL") == 1)
        try world.restart()
        try world.operate(.removeUser("alice"))
        try world.pass(.seconds(60))
        #expect(try world.count("geofences") == 0, "the last one out closes the group")
    }

    @Test func `The number of places is limited`() throws {
        let world = try World.withFamily()
        for _ in 1...BridgeSettings.maximumGeofences { _ = try world.addFence(by: "bob") }
        #expect(
            try world.outcome("bob", "geofence.create", World.school) == "too-many")
    }

    @Test func `A maker's rules about a person are limited; others can add their own`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        let most = BridgeSettings.maximumRulesOfPair
        for _ in 0..<most { _ = try world.addRule(#""when":"arrives","user":"alice""#) }
        let fence = try #require(world.fences.last)
        let fields = #"{"geofence":"\#(fence)","when":"arrives","user":"alice"}"#
        #expect(try world.outcome("bob", "geofence.rule.add", fields) == "too-many")
        let own = try world.addFence(by: "alice")
        for sender in ["alice"] as [Sender] {
            #expect(
                try world.outcome(
                    sender, "geofence.rule.add",
                    #"{"geofence":"\#(own)","when":"arrives","user":"alice"}"#) == "ok")
        }
        let carols = try world.addFence(by: "carol")
        #expect(
            try world.outcome(
                "carol", "geofence.rule.add",
                #"{"geofence":"\#(carols)","when":"leaves","user":"alice"}"#) == "ok")
    }

    @Test func `A refused rule counts for its maker until they end it`() throws {
        let world = try World.withFamily()
        let rule = try world.addRule(#""when":"arrives","user":"alice""#)
        for _ in 1..<BridgeSettings.maximumRulesOfPair {
            _ = try world.addRule(#""when":"arrives","user":"alice""#)
        }
        let refuses = #"{"rule":"\#(rule)","agree":false}"#
        #expect(try world.outcome("alice", "geofence.rule.answer", refuses) == "ok")
        let fence = try #require(world.fences.last)
        let fields = #"{"geofence":"\#(fence)","when":"arrives","user":"alice"}"#
        #expect(try world.outcome("bob", "geofence.rule.add", fields) == "too-many")
        #expect(try world.outcome("bob", "geofence.rule.end", #"{"rule":"\#(rule)"}"#) == "ok")
        #expect(try world.outcome("bob", "geofence.rule.add", fields) == "ok")
    }
}

extension World {
    static let school =
        #"{"name":"School","kind":"school","latitude":46,"longitude":14.5,"radius":100}"#

    /// All places that Bob has.
    var fences: [String] {
        (try? ask("bob", "geofence.list")["result"]?["geofences"]?.elements
            .compactMap { $0["geofence"]?.text }) ?? []
    }

    func addFence(by sender: Sender) throws -> String {
        let reply = try ask(sender, "geofence.create", World.school)
        return try #require(reply["result"]?["geofence"]?["geofence"]?.text, "\(reply)")
    }

    /// A rule of Bob's for the school.
    func addRule(_ fields: String) throws -> String {
        let fence = try addFence(by: "bob")
        let reply = try ask(
            "bob", "geofence.rule.add", #"{"geofence":"\#(fence)",\#(fields)}"#)
        return try #require(reply["result"]?["rule"]?["rule"]?.text, "\(reply)")
    }

    /// A fix each half minute.
    func walk(_ sender: Sender, to places: [Int]) throws {
        for metres in places {
            try pass(.seconds(30))
            try fix(sender, TestFix(metres, accuracy: 5))
        }
    }

    /// From far away to the school.
    func visit(by sender: Sender) throws { try walk(sender, to: [2_000, 2_000, 0, 0]) }
}
