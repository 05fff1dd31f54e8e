import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Calls for help from OwnTracks phones, whatever their timestamps.
struct OwnTracksCallTests {
    private static let week = 7 * 86_400

    /// - Parameters:
    ///   - taken: seconds after now.
    ///   - created: the same for the message; nil: it has no time.
    private func call(_ world: World, taken: Int, created: Int? = nil) -> Message {
        let created = created.map {
            #","created_at":\#(world.now.milliseconds / 1000 + Int64($0))"#
        }
        return world.ownTracks(
            "alice/app",
            Phone.location(
                1, at: world.now + .seconds(taken), #","poi":"SOS""# + (created ?? "")))
    }

    private func alerts(_ world: World) -> [JSONValue] {
        world.published().filter { $0.topic.hasSuffix("/alerts") }.map { .read($0.payload) }
    }

    @Test(arguments: [
        (120, 120, true), (300, 300, true), (3600, 3600, true), (300, nil, true), (300, 0, true),
        (-1024 * week, 0, false), (-1024 * week, -1024 * week, false),
        (2048 * week, 0, false), (-40 * 86_400, -40 * 86_400, true), (-3601, -3601, false),
        (-20 * 86_400, 0, false), (1_000_000_000, nil, true),
    ])
    func `A call counts whatever its timestamp`(taken: Int, created: Int?, isClockWrong: Bool)
        throws
    {
        let world = try World.withFamily()
        try world.send(call(world, taken: taken, created: created))
        let alert = try #require(alerts(world).first)
        #expect(alert["kind"]?.text == "sos")
        #expect(alert["clockWrong"] == (isClockWrong ? .bool(true) : nil))
        #expect(alert["text"]?.text?.contains("clock is wrong") == isClockWrong)
        #expect(alert["fix"]?.fixMeters == 1)
        #expect(try world.count("fixes") == 1)
    }

    @Test(arguments: [
        #""lat":"x","lon":14.5,"tst":1777629600"#, #""lon":14.5,"tst":1777629600"#,
        #""lat":46,"lon":14.5"#, #""lat":46,"lon":14.5,"tst":"now""#,
        #""lat":0,"lon":0,"tst":1777629600"#, #""lat":46,"lon":14.5,"tst":1777629600000"#,
    ])
    func `A call counts whatever its position`(_ position: String) throws {
        let world = try World.withFamily()
        try world.send(
            world.ownTracks("alice/app", #"{"_type":"location","tag":"SOS",\#(position)}"#))
        #expect(alerts(world).map { $0["kind"]?.text } == ["sos"])
    }

    @Test func `A redelivered call with an impossible time does not call again`() throws {
        let world = try World.withFamily()
        let call = call(world, taken: 300, created: 300)
        try world.send(call)
        try world.send(world.requestMessage("alice", "sos.stop"))
        world.sleep(.seconds(5))
        try world.send(call)
        #expect(alerts(world).map { $0["kind"]?.text } == ["sos", "sos-stopped"])
    }

    @Test func `A retained SOS mark does not call, whatever its timestamp`() throws {
        let world = try World.withFamily()
        let payload = Phone.location(1, at: world.now + .seconds(300), #","poi":"SOS""#)
        try world.send(world.ownTracks("alice/app", payload, retain: true))
        #expect(alerts(world).isEmpty)
    }

    // MARK: After the end

    private func notices(_ world: World) -> [String?] {
        world.published().filter { $0.topic == "kith/users/alice/notices" }.map {
            JSONValue.read($0.payload)["kind"]?.text
        }
    }

    @Test func `A queued call made before its owner ended the SOS is over`() throws {
        let world = try World.withFamily()
        let queued = [-26, -22].map { call(world, taken: $0, created: $0) }
        try world.send(call(world, taken: -30, created: -30))
        try world.send(world.requestMessage("alice", "sos.stop"))
        world.sleep(.seconds(1))
        for message in queued { try world.send(message) }
        let published = world.published()
        let kinds = published.filter { $0.topic.hasSuffix("/alerts") }.map {
            JSONValue.read($0.payload)["kind"]?.text
        }
        #expect(kinds == ["sos", "sos-stopped"])
        let told = published.filter { $0.topic == "kith/users/alice/notices" }.map {
            JSONValue.read($0.payload)["kind"]?.text
        }
        #expect(told == ["call-over", "call-over"])
    }

    @Test func `A call made after the end calls again, even in the same second`() throws {
        for seconds in [0, 1, 60] {
            let world = try World.withFamily()
            try world.send(call(world, taken: -1, created: -1))
            try world.send(world.requestMessage("alice", "sos.stop"))
            world.sleep(.milliseconds(300) + .seconds(seconds))
            try world.send(call(world, taken: 0, created: 0))
            #expect(
                alerts(world).map { $0["kind"]?.text } == ["sos", "sos-stopped", "sos"])
        }
    }

    @Test func `A call from a phone with a slow clock counts after an SOS has ended`() throws {
        let world = try World.withFamily()
        for _ in 0..<3 {
            world.sleep(.seconds(10))
            try world.send(
                world.ownTracks("alice/app", Phone.location(1, at: world.now - .seconds(300))))
        }
        try world.send(call(world, taken: -300, created: -300))
        try world.send(world.requestMessage("alice", "sos.stop"))
        world.sleep(.seconds(120))
        try world.send(call(world, taken: -301, created: -301))
        #expect(alerts(world).map { $0["kind"]?.text } == ["sos", "sos-stopped", "sos"])
        #expect(notices(world) == [])
    }

    @Test func `A queued call made before the end stays over after a restart`() throws {
        let world = try World.withFamily()
        try world.send(call(world, taken: -10, created: -10))
        try world.send(world.requestMessage("alice", "sos.stop"))
        try world.restart()
        world.sleep(.seconds(1))
        _ = world.published()
        try world.send(call(world, taken: -8, created: -8))
        #expect(alerts(world).isEmpty)
    }

    @Test func `A call counts after the server's clock was set back before the end`() throws {
        let world = try World.withFamily()
        try world.send(call(world, taken: 0, created: 0))
        try world.send(world.requestMessage("alice", "sos.stop"))
        world.sleep(.seconds(-3600))
        try world.turn([], .rescheduling)
        world.sleep(.seconds(60))
        try world.send(call(world, taken: 0, created: 0))
        #expect(alerts(world).map { $0["kind"]?.text } == ["sos", "sos-stopped", "sos"])
    }

    @Test func `A call that is over notifies no one while another SOS is running`() throws {
        let world = try World.withFamily()
        let queued = call(world, taken: -20, created: -20)
        try world.send(call(world, taken: -30, created: -30))
        try world.send(world.requestMessage("alice", "sos.stop"))
        world.sleep(.seconds(5))
        try world.send(call(world, taken: 0, created: 0))
        _ = world.published()
        try world.send(queued)
        #expect(notices(world) == [])
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }
}
