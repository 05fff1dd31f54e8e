import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A repeated request gets the same reply and changes nothing.
struct RepetitionTests {
    private let choir = #"{"name":"Choir"}"#

    /// Sends the request twice and returns the replies.
    private func twice(_ world: World, _ first: Message, _ second: Message) throws
        -> [JSONValue]
    {
        [try world.reply(to: first), try world.reply(to: second)]
    }

    @Test(arguments: [#""one""#, "1"])
    func `Requests with the same id count as one request`(_ id: String) throws {
        let world = try World.withFamily()
        let payload = #"{"id":\#(id),"name":"Choir"}"#
        let replies = try twice(
            world, world.requestMessage("alice", "group.create", payload),
            world.requestMessage("alice", "group.create", payload))
        #expect(replies[0] == replies[1])
        #expect(replies[0].outcome == "ok")
        #expect(try world.count("groups", where: "name = 'Choir'") == 1)
    }

    @Test func `Requests with the same correlation data count as one request`() throws {
        let world = try World.withFamily()
        let replies = try twice(
            world, world.requestMessage("alice", "group.create", choir, correlation: [7, 7]),
            world.requestMessage("alice", "group.create", choir, correlation: [7, 7]))
        #expect(replies[0] == replies[1])
        #expect(try world.count("groups", where: "name = 'Choir'") == 1)
    }

    @Test func `A repeated request is answered on its new response topic`() throws {
        let world = try World.withFamily()
        let topic = "kith/users/alice/devices/phone/replies/again"
        try world.send(world.requestMessage("alice", "group.create", #"{"id":1,"name":"A"}"#))
        let first = try #require(world.published().last { $0.topic.contains("/replies") })
        try world.send(
            world.requestMessage(
                "alice", "group.create", #"{"id":1,"name":"A"}"#, responseTopic: topic,
                correlation: [9]))
        let second = try #require(world.published().last { $0.topic.contains("/replies") })
        #expect(second.payload == first.payload)
        #expect(second.topic == topic)
        #expect(second.correlationData == [9])
    }

    @Test func `Ids are per device, and a string is not a number`() throws {
        let world = try World.withFamily()
        for sender: Sender in ["alice", "alice/watch", "bob"] {
            for id in ["1", #""1""#] {
                let payload = #"{"id":\#(id),"name":"Choir"}"#
                #expect(try world.outcome(sender, "group.create", payload) == "ok")
            }
        }
        #expect(try world.count("groups", where: "name = 'Choir'") == 6)
    }

    @Test func `A different id or correlation data means another request`() throws {
        let world = try World.withFamily()
        for id in 1...3 {
            #expect(
                try world.outcome("alice", "group.create", #"{"id":\#(id),"name":"A"}"#) == "ok")
            let request = world.requestMessage(
                "alice", "group.create", #"{"name":"A"}"#, correlation: [UInt8(id)])
            #expect(try world.reply(to: request).outcome == "ok")
        }
        #expect(try world.count("groups", where: "name = 'A'") == 6)
    }

    @Test func `A repeated request gets the same problem, even if it no longer applies`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "sos.stop", #"{"id":1}"#) == "not-in-sos")
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":2}"#) == "ok")
        #expect(try world.outcome("alice", "sos.stop", #"{"id":1}"#) == "not-in-sos")
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }

    // MARK: Without id

    @Test func `A message redelivered after a reconnect is the same request`() throws {
        let world = try World.withFamily()
        let request = world.requestMessage("alice", "group.create", choir)
        let first = try world.reply(to: request)
        world.sleep(.seconds(5))
        try world.reconnect()
        #expect(try world.reply(to: request) == first)
        world.sleep(.seconds(5))
        try world.restart()
        #expect(try world.reply(to: request) == first)
        #expect(try world.count("groups", where: "name = 'Choir'") == 1)
    }

    @Test func `A new request with the same content is performed again`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "group.create", choir) == "ok")
        #expect(try world.outcome("alice", "group.create", choir) == "ok")
        #expect(try world.count("groups", where: "name = 'Choir'") == 2)
    }

    @Test func `A packet id reused within a connection is another request`() throws {
        let world = try World.withFamily()
        let request = world.requestMessage("alice", "group.create", choir)
        _ = try world.reply(to: request)
        world.sleep(.seconds(1))
        _ = try world.reply(to: request)
        #expect(try world.count("groups", where: "name = 'Choir'") == 2)
    }

    @Test func `A packet id with other content is another request`() throws {
        let world = try World.withFamily()
        let trigger = world.requestMessage("alice", "sos.trigger")
        var stop = world.requestMessage("alice", "sos.stop")
        stop.packetID = trigger.packetID
        #expect(try world.reply(to: trigger).outcome == "ok")
        world.sleep(.seconds(5))
        try world.reconnect()
        #expect(try world.reply(to: stop).outcome == "ok")
    }

    /// After a restart a broker counts its packets from 1 again.
    @Test func `Today's SOS is not mistaken for yesterday's`() throws {
        let world = try World.withFamily()
        let trigger = world.requestMessage("alice", "sos.trigger")
        #expect(try world.reply(to: trigger).outcome == "ok")
        try world.pass(.seconds(600))
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        try world.pass(.seconds(12 * 3600))
        try world.restart()
        #expect(try world.reply(to: trigger).outcome == "ok")
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }

    @Test func `An SOS that was the last message before a restart can be sent again later`() throws
    {
        let world = try World.withFamily()
        let trigger = world.requestMessage("alice", "sos.trigger")
        #expect(try world.reply(to: trigger).outcome == "ok")
        world.sleep(.seconds(10))
        try world.restart()
        world.sleep(.seconds(90))
        #expect(try world.reply(to: trigger).outcome == "already-in-sos")
    }

    @Test func `A QoS 0 request is never mistaken for a repetition`() throws {
        let world = try World.withFamily()
        var request = world.requestMessage("alice", "group.create", choir)
        request.packetID = 0
        _ = try world.reply(to: request)
        world.sleep(.seconds(5))
        try world.reconnect()
        _ = try world.reply(to: request)
        #expect(try world.count("groups", where: "name = 'Choir'") == 2)
    }

    @Test func `Replies are remembered for a day`() throws {
        let world = try World.withFamily()
        let payload = #"{"id":1,"name":"Choir"}"#
        try world.ask("alice", "group.create", payload)
        world.sleep(.seconds(86_000))
        try world.sweep()
        try world.ask("alice", "group.create", payload)
        #expect(try world.count("groups", where: "name = 'Choir'") == 1)
        world.sleep(.seconds(1000))
        try world.sweep()
        #expect(try world.count("replies") == 0)
    }
}
