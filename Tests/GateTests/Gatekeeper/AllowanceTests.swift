import Contract
import Limits
import TestTown
import Testing

@testable import Gate

/// What one party may take of the broker, and what becomes of the rest.
struct AllowanceTests {
    private static let fix = "kith/users/alice/devices/phone/fix"
    private static let sos = "kith/users/alice/devices/tablet/requests/sos.trigger"

    private func withThrift(_ body: (Door) throws -> Void) async throws {
        try await withDoor(
            change: {
                $0.limits.deviceMessages = Allowance(burst: 10, perSecond: 1)
                $0.limits.everybodysMessages = Allowance(burst: 1, perSecond: 0.0001)
                $0.limits.overdraft = 5
                $0.limits.debt = 5
                $0.limits.overdraftInDebt = 1
                $0.limits.leastToResume = 1
                $0.limits.bytesOfOne = 100
            }, body)
    }

    /// How many messages of this size get through at once.
    private func messages(_ door: Door, _ client: Gatekeeper.Client, size: Int = 1) -> Int {
        (0..<100).first {
            _ in door.publish(AllowanceTests.fix, size: size, by: client) == .cutOff
        } ?? 100
    }

    @Test func `Whoever cannot be paused is cut off, and has no new allowance when coming again`()
        async throws
    {
        try await withThrift { door in
            let first = try #require(door.enter("alice.phone"))
            #expect(messages(door, first) == 15)
            door.leave(first)
            for _ in 0..<3 {
                let next = try #require(door.enter("alice.phone"))
                #expect(messages(door, next) <= 1)
                door.leave(next)
            }
            #expect(door.metric("gate-messages-cut-off") == "4")
            let last = try #require(door.enter("alice.phone"))
            #expect(messages(door, last) < 15)
        }
    }

    @Test func `Whoever may only read metrics has no more than a device`() async throws {
        try await withThrift { door in
            let watcher = try #require(door.enter("kith:metrics"))
            #expect(messages(door, watcher) == 15)
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(messages(door, bridge) == 100)
        }
    }

    @Test func `A large message counts for several`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            #expect(messages(door, client, size: 201) == 5)
        }
    }

    @Test func `What one device uses is no other's, but so much is all that a person has`()
        async throws
    {
        try await withThrift { door in
            let topic = "kith/users/alice/devices/tablet/fix"
            let phone = try #require(door.enter("alice.phone"))
            #expect(messages(door, phone) == 15)
            let tablet = try #require(door.enter("alice.tablet"))
            for _ in 0..<3 { #expect(door.publish(topic, by: tablet) == .allowed) }
            door.tick()
            #expect(door.pauses() == [.pause(phone)])
            // Ten of one device, and twice as many of all: beyond that each is as much as many.
            for _ in 0..<2 { #expect(door.publish(topic, by: tablet) == .allowed) }
            door.tick()
            #expect(door.pauses() == [])
            for _ in 0..<2 { #expect(door.publish(topic, by: tablet) == .allowed) }
            door.tick()
            #expect(door.pauses() == [.pause(tablet)])
            let other = try #require(door.enter("bob.phone"))
            #expect(door.publish("kith/users/bob/devices/phone/fix", by: other) == .allowed)
            #expect(door.publish(AllowanceTests.sos, by: tablet) == .allowed)
        }
    }

    @Test func `A phone is not kept waiting for what the person's other devices send`() async throws
    {
        try await withDoor { door in
            let tablet = try #require(door.enter("alice.tablet"))
            let phone = try #require(door.enter("alice.phone"))
            let topic = "kith/users/alice/devices/tablet/fix"
            for _ in 0..<2 { _ = door.publish(topic, size: 65_536, objects: 1000, by: tablet) }
            door.tick()
            #expect(door.pauses() == [.pause(tablet)])
            _ = door.publish(topic, size: 65_536, objects: 1000, by: tablet)
            for _ in 0..<20 { #expect(door.publish(AllowanceTests.fix, by: phone) == .allowed) }
            door.tick()
            #expect(!door.pauses().contains(.pause(phone)))
        }
    }

    @Test(arguments: ["fix", "vitals"])
    func `A sample in an array counts as one alone`(_ kind: String) async throws {
        let topic = "kith/users/alice/devices/phone/\(kind)"
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            for _ in 0..<9 {
                let verdict = door.publish(topic, size: 6_500, objects: 100, by: phone)
                #expect(verdict == .allowed)
            }
            door.tick()
            #expect(door.pauses() == [])
            let verdict = door.publish(topic, size: 65_536, objects: 1000, by: phone)
            #expect(verdict == .allowed, "one message is never too much")
            door.tick()
            #expect(door.pauses() == [.pause(phone)])
            #expect(door.gatekeeper.refusals.cutOff == 0)
            // It owes 900, and gets them back at 500 a second and what others leave.
            door.pass(.seconds(2))
            #expect(door.pauses() == [.resume(phone)])
        }
    }

    @Test func `What is no fix counts by its bytes, whatever it holds`() async throws {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            let topic = "owntracks/alice/phone/info"
            for _ in 0..<500 {
                #expect(door.publish(topic, size: 600, objects: 300, by: phone) == .allowed)
            }
            door.tick()
            #expect(door.pauses() == [])
        }
    }

    @Test func `A message that is too large ends no connection, and is told and counted`()
        async throws
    {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            let card = "owntracks/alice/phone/info"
            #expect(door.publish(card, size: 65_536, by: phone) == .allowed)
            _ = door.gatekeeper.takeOrders()
            #expect(door.publish(card, size: 129_000, by: phone) == .refused)
            let told = door.gatekeeper.takeOrders().compactMap { order -> String? in
                guard case .publish(let topic, let payload) = order else { return nil }
                return topic + " " + String(decoding: payload, as: UTF8.self)
            }
            #expect(told.count == 1)
            #expect(told.first?.hasPrefix("kith/users/alice/devices/phone/rejected ") == true)
            #expect(told.first?.contains("urn:kith:problem:too-large") == true)
            #expect(door.publish("owntracks/alice/phone", size: 200, by: phone) == .allowed)
            #expect(door.metric("gate-messages-large") == "1")
            #expect(door.metric("gate-messages-cut-off") == "0")
        }
    }

    @Test func `A request that is too large is answered where its caller waits`() async throws {
        try await withDoor { door in
            let phone = try #require(door.enter("alice.phone"))
            let device = "kith/users/alice/devices/phone"
            _ = door.gatekeeper.takeOrders()
            #expect(
                door.publish("\(device)/requests/group.create", size: 65_537, by: phone) == .refused
            )
            let told = door.gatekeeper.takeOrders().reduce(into: [String: String]()) {
                told, order in
                guard case .publish(let topic, let payload) = order else { return }
                told[topic] = String(decoding: payload, as: UTF8.self)
            }
            #expect(Set(told.keys) == ["\(device)/replies"])
            let reply = told["\(device)/replies"]
            #expect(reply?.hasPrefix(#"{"method":"group.create","problem":"#) == true)
            #expect(reply?.contains("urn:kith:problem:too-large") == true)
        }
    }

    @Test func `Nobody is remembered who has everything back`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            #expect(messages(door, client) == 15)
            door.leave(client)
            door.pass(.seconds(14))
            #expect(door.gatekeeper.meters.count == 1, "the person's is untouched")
            door.pass(.seconds(3))
            #expect(door.gatekeeper.meters.count == 0)
        }
    }

    @Test func `A device that connects again and again is put off, and comes in later`()
        async throws
    {
        try await withDoor {
            $0.limits.deviceConnections = Allowance(burst: 3, perSecond: 1)
        } _: { door in
            for _ in 0..<3 { door.leave(try #require(door.enter("alice.phone"))) }
            #expect(door.enter("alice.phone") == nil)
            door.pass(.seconds(1))
            #expect(door.enter("alice.phone") != nil)
            #expect(door.metric("gate-connections-put-off") == "1")
        }
    }

    @Test func `Guests of one address share an allowance`() async throws {
        try await withDoor {
            $0.limits.addressMessages = Allowance(burst: 5, perSecond: 1)
        } _: { door in
            for number in 0..<5 { #expect(door.enter("guest\(number)") != nil) }
            #expect(door.enter("guest5") == nil)
            #expect(door.enter("guest6", from: "10.0.0.2") != nil)
        }
    }

    @Test func `When all come at once some come a little later, and the bridge at once`()
        async throws
    {
        try await withDoor {
            $0.limits.arrivals = Allowance(burst: 3, perSecond: 10)
        } _: { door in
            for number in 0..<3 { #expect(door.enter("guest\(number)") != nil) }
            #expect(door.enter("alice.phone") == nil)
            #expect(door.enter("kith:bridge") != nil)
            door.pass(.milliseconds(200))
            #expect(door.enter("alice.phone") != nil)
        }
    }

    @Test func `Who fails to log in takes nobody's place`() async throws {
        try await withDoor {
            $0.limits.arrivals = Allowance(burst: 3, perSecond: 0.001)
        } _: { door in
            for _ in 0..<10 { #expect(door.enter("alice.phone", token: "wrong") == nil) }
            #expect(door.enter("alice.phone") != nil)
            #expect(door.metric("gate-connections-refused") == "10")
        }
    }

    @Test func `Devices that come within a moment share a report`() async throws {
        try await withDoor { door in
            _ = door.gatekeeper.takeOrders()
            let clients = try ["alice.phone", "alice.tablet", "bob.phone", "carol.phone"].map {
                try #require(door.enter($0))
            }
            door.leave(clients[3])
            door.pass(.milliseconds(200))
            #expect(
                try door.reports() == [
                    .connected(.device("phone", of: "alice")),
                    .changed(
                        connected: [.device("tablet", of: "alice"), .device("phone", of: "bob")]
                            .sorted(),
                        disconnected: [.device("phone", of: "carol")]),
                ])
        }
    }

    @Test func `How many are connected is told`() async throws {
        try await withDoor { door in
            #expect(door.metric("gate-connections") == "0")
            let phone = try #require(door.enter("alice.phone", isContinued: true))
            let guest = try #require(door.enter("guest"))
            _ = try #require(door.enter("kith:bridge"))
            #expect(door.metric("gate-connections") == "3")
            door.leave(guest)
            door.leave(phone)
            door.leave(phone)
            #expect(door.metric("gate-connections") == "1")
            // The broker gives the address to another client without a word.
            let client = try #require(door.enter("alice.phone", as: phone))
            _ = try #require(door.enter("alice.phone", as: client))
            #expect(door.metric("gate-connections") == "2")
        }
    }

    @Test func `A refusal of which a device is not told is counted`() async throws {
        try await withDoor {
            $0.limits.refusalsTold = Allowance(burst: 2, perSecond: 0.001)
        } _: { door in
            let client = try #require(door.enter("alice.phone"))
            for _ in 0..<5 {
                #expect(door.publish("kith/users/bob/groups", by: client) == .refused)
            }
            #expect(door.metric("gate-rejections-untold") == "3")
            #expect(door.metric("gate-messages-refused") == "5")
        }
    }
}
