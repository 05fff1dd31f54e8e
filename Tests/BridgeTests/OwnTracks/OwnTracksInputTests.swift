import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Messages that unmodified OwnTracks phones publish.
struct OwnTracksInputTests {
    private func world() throws -> World {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all & alice goes offline")
        _ = world.published()
        return world
    }

    @Test func `A location becomes a fix in the units of the contract`() throws {
        let world = try world()
        try world.send(
            world.ownTracks(
                "alice/app",
                #"{"_type":"location","lat":46.05,"lon":14.51,"tst":1777629599,"acc":12,"alt":300,"#
                    + #""vac":4,"vel":36,"cog":90,"batt":55,"tid":"al","t":"p","conn":"w","#
                    + #""_id":"0a1b2c3d","m":1,"new":{"a":[1]},"created_at":1777629600}"#))
        let fix = try #require(world.state(of: "alice")["fix"])
        #expect(fix["latitude"]?.number == 46.05)
        #expect(fix["longitude"]?.number == 14.51)
        #expect(fix["timestamp"]?.text == "2026-05-01T09:59:59.000Z")
        #expect(fix["accuracy"]?.number == 12)
        #expect(fix["altitude"]?.number == 300)
        #expect(fix["altitudeAccuracy"]?.number == 4)
        #expect(fix["speed"]?.number == 10)
        #expect(fix["heading"]?.number == 90)
        #expect(fix["battery"]?.number == 55)
        #expect(fix["seq"] == nil)
        #expect(!world.published().contains { $0.topic.hasSuffix("/stored") })
    }

    @Test func `A buffered upload is stored in order, and its errors are named`() throws {
        let world = try world()
        let locations = [3, 1, 2].map { Phone.location($0, at: world.now - .seconds(9 - $0)) }
        try world.send(
            world.ownTracks(
                "alice/app",
                "[\(locations[0]),{\"_type\":\"location\",\"lat\":1,\"lon\":1},\(locations[1]),"
                    + "{\"_type\":\"steps\"},7,\(locations[2])]"))
        #expect(try world.count("fixes") == 3)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 3)
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        #expect(rejection.topic == "kith/users/alice/devices/app/rejected")
        #expect(
            JSONValue.read(rejection.payload)["problem"]?.problemWords
                == "invalid: [1].tst is missing")
    }

    @Test(arguments: [
        (#"{"_type":"lwt","tst":1}"#, ""), (#"{"_type":"transition","event":"enter"}"#, "event"),
        (#"{"_type":"waypoint"}"#, "waypoint"), (#"{"_type":"waypoints"}"#, "waypoints"),
        (#"{"_type":"card","name":"A"}"#, "info"), (#"{"_type":"status"}"#, "status"),
        (#"{"_type":"steps"}"#, "step"), (#"{"_type":"dump"}"#, "dump"),
        (#"{"_type":"cmd","action":"dump"}"#, "cmd"), (#"{"_type":"new"}"#, ""), ("{}", ""),
        ("[]", ""), ("7", ""), ("", ""), ("", "info"),
    ])
    func `Other message types are ignored silently`(_ payload: String, _ suffix: String) throws {
        let world = try world()
        try world.send(world.ownTracks("alice/app", payload, suffix: suffix))
        #expect(try world.count("fixes") == 0)
        let told = world.published().filter { !$0.topic.contains("/@") }
        #expect(told.isEmpty)
    }

    @Test(arguments: [
        ("{", "malformed"),
        (
            #"{"_type":"encrypted","data":"x"}"#,
            "invalid: _type is encrypted, which is not supported"
        ),
        (
            #"{"_type":"location","lat":"x","lon":181}"#,
            "invalid: lat must be a number; lon must be from -180 to 180; tst is missing"
        ),
        (
            #"{"_type":"location","lat":0,"lon":0,"tst":1777629600}"#,
            "invalid: lat and lon are exactly 0 with no accuracy"
        ),
        (
            #"{"_type":"location","lat":1,"lon":1,"tst":1777629661}"#,
            "invalid: tst is more than 60 s in the future"
        ),
        (#"{"_type":"location","lat":1,"lon":1,"tst":1700000000}"#, "too-old"),
    ])
    func `Invalid payloads are rejected with the reason`(_ payload: String, _ refusal: String)
        throws
    {
        let world = try world()
        try world.send(world.ownTracks("alice/app", payload))
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        #expect(JSONValue.read(rejection.payload)["problem"]?.problemWords == refusal)
        #expect(try world.count("fixes") == 0)
    }

    @Test func `Retained copies received with the bridge's subscription are duplicates`() throws {
        let world = try world()
        let topic = Topic.ownTracks("alice", device: "app", suffix: "")
        let payload = Phone.location(5, at: world.now)
        try world.send(world.message(topic, payload))
        try world.pass(.seconds(300))
        #expect(world.state(of: "alice")["online"] == .bool(false))
        let (before, tables) = (world.retained, try world.tableCounts())
        try world.restart()
        try world.send(world.message(topic, payload, qos: .atMostOnce, retain: true))
        try world.send(
            world.message(
                .ownTracks("alice", device: "app", suffix: "info"), #"{"_type":"card"}"#,
                qos: .atMostOnce, retain: true))
        #expect(world.retained == before)
        #expect(try world.tableCounts() == tables)
    }

    @Test func `Every message of a phone except its will is a sign of life`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .states,
            """
            10:00:00 alice shares with all
                family sees alice v3: active, nowhere
            10:00:10 alice goes offline
            10:00:10 alice's app at 5 m
            10:00:50 alice's app says {"_type":"lwt","tst":1777629600}
            10:01:30
                10:01:10 family sees alice v5: active, not online, at 5 m
            10:02:00 alice's app says {"_type":"status"}
                family sees alice v6: active, at 5 m
            10:02:50 alice's app says {"_type":"status"}
            10:03:40
            """)
    }

    @Test func `Device names ignore case`() throws {
        let world = try world()
        for device in ["Pixel7", "pixel7", "PIXEL7"] {
            world.sleep(.seconds(1))
            try world.send(
                Message(
                    topic: "owntracks/alice/\(device)",
                    payload: Array(Phone.location(1, at: world.now).utf8)))
        }
        #expect(try world.count("devices", where: "name = 'pixel7'") == 1)
        #expect(try world.count("fixes") == 3)
    }

    // MARK: Calling for help

    @Test func `An SOS mark calls for help once`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: [.states, .alerts, .paths],
            """
            10:00:00 alice's app at 5 m
                family sees alice v2: inactive, nowhere
                work sees alice v2: inactive, nowhere
            10:00:10 alice's app at 10 m poi SOS
                family alert: alice sos at 10 m
                work alert: alice sos at 10 m
                family sees alice's path 1: sos, 1 points: 10
                work sees alice's path 1: sos, 1 points: 10
                family sees alice v3: sos, at 10 m
                work sees alice v3: sos, at 10 m
            10:00:20 alice's app at 20 m poi SOS
                family sees alice's path 1: sos, 2 points: 10 20
                work sees alice's path 1: sos, 2 points: 10 20
            10:00:30 alice stops SOS
                family alert: alice sos-stopped at 20 m
                work alert: alice sos-stopped at 20 m
                family sees alice v5: active, at 20 m
                work sees alice v5: active, at 20 m
            """)
        #expect(try world.count("fixes") == 3)
    }

    @Test func `A redelivered call for help does not call again`() throws {
        let world = try World.withFamily()
        let call = world.ownTracks("alice/app", Phone.location(1, at: world.now, #","poi":"SOS""#))
        let stop = world.requestMessage("alice", "sos.stop", #"{"id":1}"#)
        try world.crashAfterCommit(of: [call, stop])
        #expect(world.state(of: "alice")["state"]?.text == "active")
        #expect(try world.count("alerts") == 2)
        // Pressed again on a stationary phone: the same position in a new message.
        let created = world.now.milliseconds / 1000 + 5
        world.sleep(.seconds(5))
        let again = Phone.location(
            1, at: .morning, #","poi":"SOS","created_at":\#(created)"#)
        try world.send(world.ownTracks("alice/app", again))
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }

    @Test func `The publish button calls for help only if configured`() throws {
        let world = try World()
        try world.addUsers("alice")
        try world.addUsers("bob", publishIsSOS: true)
        try world.addGroup("Family", "alice", "bob")
        try Script.check(
            in: world, showing: .alerts,
            """
            10:00:00 alice's app at 5 m button
            10:00:10 bob's app at 5 m
            10:00:20 bob's app at 6 m button
                family alert: bob sos at 6 m
            """)
    }

    @Test func `An SOS mark from a person without groups is stored as an ordinary fix`() throws {
        let world = try World.withNeighbours()
        let lonely = Phone.location(1, at: world.now, #","tag":"SOS""#)
        try world.send(world.ownTracks("dave/app", lonely))
        #expect(try world.count("alerts") == 0)
        #expect(try world.count("fixes") == 1)
    }
}
