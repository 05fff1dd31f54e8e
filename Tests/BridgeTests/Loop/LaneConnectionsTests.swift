import MQTT
import Testing

@testable import Bridge

struct LaneConnectionsTests {
    let prompt = ScriptedLink()
    let vitals = ScriptedLink()
    let bulk = ScriptedLink()
    var lanes: LaneConnections<ScriptedLink> {
        LaneConnections(prompt: prompt, vitals: vitals, bulk: bulk)
    }

    private static func messages(_ count: Int, _ topic: String) -> [Message] {
        (0..<count).map { _ in Message(topic: topic, payload: []) }
    }

    @Test func `Requests are read before fixes, and shorten the turn`() {
        prompt.incoming = Self.messages(3, "request")
        bulk.incoming = Self.messages(1000, "fix")
        let read = lanes.receive(atMost: 1000).map(\.topic)
        #expect(read.prefix(3) == ["request", "request", "request"])
        #expect(read.dropFirst(3).count == 250)
        #expect(read.dropFirst(3).allSatisfy { $0 == "fix" })
    }

    @Test func `Without requests a turn is full of fixes`() {
        bulk.incoming = Self.messages(2000, "fix")
        #expect(lanes.receive(atMost: 1000).count == 1000)
    }

    @Test func `A turn reads few large messages`() {
        let payload = [UInt8](repeating: 0, count: 60_000)
        bulk.incoming = (0..<50).map { _ in Message(topic: "fix", payload: payload) }
        prompt.incoming = (0..<50).map { _ in Message(topic: "request", payload: payload) }
        let read = lanes.receive(atMost: 1000).map(\.topic)
        #expect(read == ["request", "request", "request", "fix"])
    }

    @Test func `A flood of requests leaves room for fixes`() {
        prompt.incoming = Self.messages(5000, "request")
        bulk.incoming = Self.messages(5000, "fix")
        let read = lanes.receive(atMost: 1000)
        #expect(read.count { $0.topic == "request" } == 500)
        #expect(read.count { $0.topic == "fix" } == 250)
    }

    @Test func `A flood of vital signs leaves room for requests and fixes`() {
        let array = [UInt8](repeating: 0, count: 60_000)
        vitals.incoming = (0..<50).map { _ in Message(topic: "vitals", payload: array) }
        prompt.incoming = Self.messages(3, "request")
        bulk.incoming = Self.messages(5000, "fix")
        let first = lanes.receive(atMost: 1000).map(\.topic)
        #expect(first.prefix(4) == ["request", "request", "request", "fix"])
        #expect(
            first.suffix(2) == ["fix", "vitals"], "a sample that calls says where its wearer is")
        #expect(first.count == 254)
        let second = lanes.receive(atMost: 1000).map(\.topic)
        #expect(second.suffix(3) == ["fix", "vitals", "vitals"])
        #expect(second.count { $0 == "fix" } == 1000)
    }

    @Test func `A small turn reads one vital-signs message beside requests`() {
        vitals.incoming = Self.messages(50, "vitals")
        prompt.incoming = Self.messages(50, "request")
        #expect(lanes.receive(atMost: 4).map(\.topic) == ["request", "request", "vitals"])
    }

    @Test func `A turn with a call for help reads all fixes and one vital-signs message`() {
        vitals.incoming = Self.messages(500, "vitals")
        prompt.incoming = Self.messages(1, "kith/users/ann/devices/phone/requests/sos.trigger")
        bulk.incoming = Self.messages(500, "fix")
        let read = lanes.receive(atMost: 1000).map(\.topic)
        #expect(read.count { $0 == "vitals" } == 1)
        #expect(read.count { $0 == "fix" } == 500)
    }

    @Test func `Prompt and bulk messages are sent and confirmed on separate connections`() throws {
        let alert = Publication(
            topic: "alert", payload: [], qos: .atLeastOnce, lane: .prompt, outboxRow: 7)
        let state = Publication(topic: "state", payload: [], qos: .atLeastOnce, retain: true)
        let ids = try [lanes.send(alert), lanes.send(state)]
        #expect(prompt.sent.map(\.topic) == ["alert"])
        #expect(bulk.sent.map(\.topic) == ["state"])
        #expect(Set(ids).count == 2)
        let confirmed = lanes.takeEvents().compactMap { event in
            if case .confirmed(let id) = event { id } else { nil }
        }
        #expect(Set(confirmed) == Set(ids))
    }

    @Test func `Outbox messages use the prompt lane, even after a start, and states do not`() throws
    {
        let world = try World.withFamily()
        world.confirms = false
        _ = world.published()
        try world.send(world.requestMessage("alice", "sos.trigger", "{}"))
        let published = world.published()
        #expect(published.count { $0.outboxRow != nil } > 1)
        #expect(published.allSatisfy { $0.outboxRow == nil || $0.lane == .prompt })
        #expect(published.contains { $0.retain })
        #expect(published.allSatisfy { !$0.retain || $0.lane == .bulk })
        let outgoing = try world.engine.outgoing()
        #expect(!outgoing.isEmpty)
        #expect(outgoing.allSatisfy { $0.lane == .prompt })
    }

    @Test func `A full lane does not block the other`() {
        bulk.hasRoom = false
        #expect(lanes.hasRoom(on: .prompt))
        #expect(!lanes.hasRoom(on: .bulk))
    }
}
