import Contract
import MQTT
import TestBroker
import TestSupport
import Testing

/// Names and passwords that are not quite right.
struct LoginTests {
    private func isLetIn(
        _ gate: GatedBroker, _ username: String?, _ password: String?, id: String = "any",
        version: ConnectionOptions.Version = .v5
    ) throws -> Bool {
        do {
            let peer = try gate.client("guest", id: id) { options in
                (options.username, options.password) = (username, password)
                options.version = version
            }
            try peer.connect()
            defer { peer.connection.disconnect() }
            return peer.connection.isConnected
        } catch let error as MQTTError {
            // The library does not even send these.
            #expect([.configure, .create, .connect].contains(error.operation))
            return false
        }
    }

    @Test func `A token that is not exactly the issued one is rejected`() async throws {
        try await withGate { gate in
            try gate.settle()
            let token = try gate.town.token("alice.phone")
            let tablet = try gate.town.token("alice.tablet")
            let bob = try gate.town.token("bob.phone")
            let secret = token.split(separator: ".")[2]
            #expect(try isLetIn(gate, "alice", token))
            #expect(try isLetIn(gate, "alice", tablet))
            let wrong = [
                "", String(token.dropLast()), String(token.dropFirst()), token + "A", token + ".",
                token + "=", " " + token, token + " ", token + "\n", "." + token, bob,
                String(secret), "alice.\(secret)", "alice.tablet.\(secret)",
                "bob.phone.\(secret)", "alice.phone.", "alice.phone", "alice..\(secret)",
                token.uppercased(), token.replacing(".", with: "\u{2024}"),
                "Alice.phone.\(secret)", "alice.phone." + String(repeating: "A", count: 43),
                "' OR '1'='1", "alice.phone.' OR token_hash IS NOT NULL --", "../../kith.db",
                "%00", "\u{feff}" + token,
            ]
            for password in wrong {
                for version in [ConnectionOptions.Version.v5, .v311] {
                    #expect(try !isLetIn(gate, "alice", password, version: version), "\(password)")
                }
            }
            #expect(try !isLetIn(gate, "alice", nil))
            #expect(try !isLetIn(gate, "kith:bridge", gate.town.token("kith:operator")))
            #expect(try !isLetIn(gate, "alice", gate.town.token("kith:bridge")))
            #expect(try !isLetIn(gate, "kith:bridge", token))
        }
    }

    @Test func `A look-alike user name is rejected`() async throws {
        try await withGate { gate in
            try gate.settle()
            try gate.town.add("kim", "phone")
            for (user, name) in [
                ("alice", "Alice"), ("alice", "ALICE"), ("alice", "alice "), ("alice", " alice"),
                ("alice", "al\u{ed}ce"), ("alice", "ali\u{301}ce"), ("alice", "alice\u{200b}"),
                ("alice", "\u{430}lice"), ("alice", "alice\u{301}"), ("alice", "a\u{131}ice"),
                ("kim", "\u{212a}im"), ("kim", "K\u{69}m"), ("kim", "kim\u{7f}"), ("kim", ""),
                ("alice", "alice.phone"), ("alice", "alice'--"), ("alice", "+"), ("alice", "#"),
                ("alice", "alice/"), ("alice", "alice; DROP TABLE users"), ("alice", "alice%"),
                ("alice", "../alice"), ("alice", "alice\u{202e}"), ("alice", "a"),
                ("alice", "\u{ff41}lice"),
            ] {
                let token = try gate.town.token("\(user).phone")
                #expect(try !isLetIn(gate, name, token), "\(name)")
                let renamed = name + token.dropFirst(user.count)
                #expect(try !isLetIn(gate, name, renamed), "\(name)")
            }
            #expect(try isLetIn(gate, "kim", gate.town.token("kim.phone")))
        }
    }

    @Test func `Invalid client ids are refused, as are guest ids invalid in topics`() async throws {
        try await withGate { gate in
            try gate.settle()
            let token = try gate.town.token("alice.phone")
            for id in [
                "a\u{7f}b", "a\u{1}", "a\u{85}", "a\n", String(repeating: "a", count: 513),
                "bob.phone", "nobody.phone", "kith:bridge.1",
            ] {
                #expect(try !isLetIn(gate, "alice", token, id: id), "\(id)")
                #expect(try !isLetIn(gate, nil, nil, id: id), "\(id)")
            }
            for id in ["+", "#", "a/b", "alice.+", "alice./", String(repeating: "a", count: 129)] {
                #expect(try isLetIn(gate, "alice", token, id: id), "\(id)")
                #expect(try !isLetIn(gate, nil, nil, id: id), "\(id)")
            }
            for id in [String(repeating: "a", count: 128), "mosqsub|1-host.example.org", "a.b.c"] {
                #expect(try isLetIn(gate, "alice", token, id: id), "\(id)")
                #expect(try isLetIn(gate, nil, nil, id: id), "\(id)")
            }
            #expect(try isLetIn(gate, "alice", token, id: "alice.Pixel 7"))
        }
    }

    @Test func `Wrong names and passwords of any length and bytes are refused`() async throws {
        try await withGate { gate in
            try gate.settle()
            let name = Array("alice".utf8)
            let token = Array(try gate.town.token("alice.phone").utf8)
            var cases: [(name: [UInt8]?, password: [UInt8]?)] = [
                (name, []), ([], token), (name, [0]), (name, [0] + token), (name + [0], token),
                (name, [0xff, 0xfe]), ([0xc0, 0x80], token), ([0xed, 0xa0, 0x80], token),
                (nil, token), (Array(repeating: 0x41, count: 65_535), token),
            ]
            for length in [100, 1000, 4096, 30_000, 65_535] {
                cases.append((name, Array(repeating: 0x41, count: length)))
                cases.append((name, token + Array(repeating: 0x41, count: length - token.count)))
            }
            for (name, password) in cases {
                for level: UInt8 in [4, 5] {
                    let client = try gate.rawSocket()
                    client.send(
                        Packet.connect(
                            Array("any".utf8), level: level, username: name, password: password))
                    #expect(client.isClosed())
                }
            }
            _ = try gate.enter("alice.phone")
        }
    }

    /// How long the broker takes to answer.
    private func time(_ peer: Peer) throws -> Duration {
        let start = ContinuousClock.now
        #expect(try peer.publish("kith/users/alice/devices/phone/fix") == .accepted)
        return ContinuousClock.now - start
    }

    @Test func `Ten thousand wrong passwords delay no one`() async throws {
        try await withGate { gate in
            try gate.settle()
            let alice = try gate.enter("alice.phone")
            let names = ["alice", "bob", "nobody", "kith:bridge"].map { Array($0.utf8) }
            // In turn, so that a busy machine slows down both.
            let times = try await withGate { calm in
                try calm.settle()
                let other = try calm.enter("alice.phone")
                var times: [(here: Duration, there: Duration)] = []
                for round in 0..<500 {
                    let clients = try (0..<20).map { number in
                        let client = try gate.rawSocket()
                        let name = names[number % names.count]
                        let secret = String(repeating: "A", count: 43)
                        let password =
                            Array(String(decoding: name, as: UTF8.self).utf8)
                            + Array((number % 4 == 3 ? "." : ".phone.").utf8) + Array(secret.utf8)
                        client.send(
                            Packet.connect(
                                Array("r\(round)n\(number)".utf8), username: name,
                                password: password))
                        return client
                    }
                    let here = try time(alice)
                    for client in clients { #expect(client.receive(4) == [0x20, 2, 0, 5]) }
                    times.append((here, try time(other)))
                }
                return times
            }
            // Except for the ten slowest: the machine itself may have stalled.
            let slow = (
                here: times.map(\.here).sorted()[489], there: times.map(\.there).sorted()[489]
            )
            #expect(slow.here < slow.there * 3 + .milliseconds(500), "\(slow)")
            // It is logged in one line, without a name.
            try turn([alice], for: .milliseconds(200))
            let lines = try gate.lines
            #expect(lines.count < 20)
            #expect(!lines.contains { $0.contains("alice") || $0.contains("bob") })
        }
    }
}
