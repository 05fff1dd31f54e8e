import MQTT
import TestBroker
import TestSupport
import Testing

/// Each principal and each topic, with a real Mosquitto.
struct MatrixTests {
    @Test func `Every principal may do exactly what the contract allows, on every topic`()
        async throws
    {
        try await withGate { gate in
            try gate.town.add("alice", "phone", "tablet", "laptop")
            try gate.town.add("bob", "phone")
            try gate.town.add("carol", "phone")
            try gate.town.found(.family, "alice", "bob")
            try gate.town.found(.work)
            try gate.town.observe(.family, "alice", as: Matrix.observer)
            try gate.town.share("alice", with: "carol")
            try gate.town.share("bob", with: "alice")
            try gate.town.unshare("bob", with: "alice")
            try gate.town.share("carol", with: "alice")
            try gate.town.block("carol", by: "alice")
            for line in Matrix.text.split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                let (topic, expected) = (words[0], Array(words.dropFirst()))
                let found = try row(topic, gate)
                // The gate admits a thousand a second.
                try turn([], for: .milliseconds(Matrix.columns.count))
                #expect(found == expected, "\(topic)")
            }
        }
    }

    /// - Returns: what each principal may do on the topic.
    private func row(_ topic: String, _ gate: GatedBroker) throws -> [String] {
        let peers = try Matrix.columns.map { try gate.enter($0) }
        // The gate admits a thousand a second, and not many more at once.
        try turn(peers, for: .milliseconds(10))
        let areGranted = try peers.map { try $0.subscribe(to: topic) }
        var sent: [String] = []
        var rights: [(plain: Bool, retained: Bool)] = []
        for (peer, who) in zip(peers, Matrix.columns) {
            let isPlain = try peer.publish(topic, "\(who) plain") == .accepted
            if isPlain { sent.append("\(who) plain") }
            let isRetained = try peer.publish(topic, "\(who) retained", retain: true) == .accepted
            if isRetained { sent.append("\(who) retained") }
            rights.append((isPlain, isRetained))
        }
        return try peers.indices.map { index in
            try peers[index].catchUp()
            // The gate itself publishes refusals to devices, and presence to the bridge.
            let heard = peers[index].messages.filter { $0.topic == topic }
                .map { String(decoding: $0.payload, as: UTF8.self) }
                .filter { !$0.hasPrefix("{") }
            try peers[index].leave()
            var cell = areGranted[index] ? "s" : ""
            if !heard.isEmpty { cell += heard == sent ? "r" : "some of it" }
            if rights[index].plain { cell += "p" }
            if rights[index].retained { cell += "P" }
            return cell.isEmpty ? "-" : cell
        }
    }

    @Test func `A service without an account is refused`() async throws {
        try await withGate { gate in
            let token = "service:myheart." + String(repeating: "A", count: 43)
            for id in ["service:myheart.1", "myheart"] {
                let peer = try gate.client("guest", id: id) { options in
                    (options.username, options.password) = ("service:myheart", token)
                }
                try peer.connect()
                #expect(!peer.connection.isConnected)
            }
        }
    }
}
