import Contract
import MQTT
import TestBroker
import TestSupport
import Testing

/// The gate's reports to the bridge of who is connected.
struct PresenceTests {
    private static let topic = "kith/bridge/connections"

    private func reports(_ bridge: Peer) throws -> [ConnectionReport] {
        try bridge.messages.filter { $0.topic == PresenceTests.topic }
            .map { try ConnectionReport($0.payload) }
    }

    /// The parties connected after all the reports.
    private func present(_ bridge: Peer) throws -> Set<String> {
        var present: Set<String> = []
        for report in try reports(bridge) {
            switch report {
            case .connected(let party): present.insert(PresenceTests.name(party))
            case .disconnected(let party): present.remove(PresenceTests.name(party))
            case .changed(let connected, let disconnected):
                present.formUnion(connected.map(PresenceTests.name))
                present.subtract(disconnected.map(PresenceTests.name))
            case .all(let parties, let isFirst, _, _):
                if isFirst { present = [] }
                present.formUnion(parties.map(PresenceTests.name))
            }
        }
        return present
    }

    private static func name(_ party: ConnectionReport.Party) -> String {
        switch party {
        case .device(let device, let user): "\(user).\(device)"
        case .guest(let client, _): client.text
        case .dispatch: "dispatch"
        }
    }

    @Test func `The bridge is notified when dispatch connects, connects twice and leaves`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: PresenceTests.topic)
            let first = try gate.enter("kith:dispatch", id: "kith:dispatch.1")
            try turn([bridge]) { try present(bridge) == ["dispatch"] }
            let second = try gate.enter("kith:dispatch", id: "kith:dispatch.2")
            try first.leave()
            try bridge.catchUp()
            #expect(try present(bridge) == ["dispatch"])
            try second.leave()
            try turn([bridge]) { try present(bridge) == [] }
        }
    }

    @Test func `The bridge is notified of who is connected, who connects and who leaves`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let alice = try gate.enter("alice.phone")
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: PresenceTests.topic)
            try turn([bridge]) { try present(bridge) == ["alice.phone"] }
            let bob = try gate.enter("bob.phone")
            let guest = try gate.enter("visitor")
            try turn([bridge]) {
                try present(bridge) == ["alice.phone", "bob.phone", "visitor"]
            }
            try alice.cutTheLine()
            try bob.leave()
            try guest.leave()
            try turn([bridge]) { try present(bridge) == [] }
        }
    }

    @Test func `A session that is taken over is reported as connected throughout`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: PresenceTests.topic)
            var peers: [Peer] = []
            for _ in 0..<5 { peers.append(try gate.enter("alice.phone")) }
            let second = try gate.enter("alice.phone", id: "alice.second")
            try peers[4].leave()
            try bridge.catchUp()
            #expect(try present(bridge) == ["alice.phone"])
            #expect(
                try reports(bridge).allSatisfy {
                    switch $0 {
                    case .disconnected: false
                    case .changed(_, let disconnected): disconnected.isEmpty
                    case .connected, .all: true
                    }
                })
            try second.leave()
            try turn([bridge]) { try present(bridge) == [] }
        }
    }

    @Test func `A CONNECT that fails after the gate's approval leaves no one connected`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try bridge.listen(to: PresenceTests.topic)
            let (name, password) = (
                Array("alice".utf8), Array(try gate.town.token("alice.phone").utf8)
            )
            let wills: [Packet.Will] = [
                .init(topic: "a/#"), .init(topic: ""), .init(topic: "$SYS/x"),
                .init(topic: "kith/users/alice/devices/phone/status", properties: [1, 9]),
                .init(topic: "kith/users/bob/devices/phone/status", qos: 2, retain: true),
            ]
            for will in wills {
                for level: UInt8 in [4, 5] {
                    let client = try gate.rawSocket()
                    client.send(
                        Packet.connect(
                            Array("alice.phone".utf8), level: level, username: name,
                            password: password, will: will))
                    _ = client.receive(4, within: 50)
                    client.cut()
                }
            }
            // Extended authentication, which is not supported.
            for properties: [UInt8] in [[0x15] + Packet.text("SCRAM"), [0x21, 0, 0]] {
                let client = try gate.rawSocket()
                client.send(
                    Packet.connect(
                        Array("alice.phone".utf8), level: 5, username: name, password: password,
                        properties: properties))
                _ = client.receive(4, within: 50)
                client.cut()
            }
            // Two CONNECTs, and one that breaks before the answer.
            let twice = try gate.rawSocket()
            let connect = Packet.connect(
                Array("alice.phone".utf8), username: name, password: password)
            twice.send(connect + connect)
            for _ in 0..<20 {
                let client = try gate.rawSocket()
                client.send(connect)
                client.cut()
            }
            // A client that connects and leaves after all of them is also reported after them.
            let bob = try gate.enter("bob.phone")
            try turn([bridge]) { try present(bridge).contains("bob.phone") }
            try bob.leave()
            try turn([bridge]) { try !present(bridge).contains("bob.phone") }
            #expect(try present(bridge) == [])
        }
    }
}
