import Contract
import Limits
import TestSupport
import Testing

@testable import Gate

/// A party's share of the broker, and what happens beyond it.
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

    /// How many messages of this size get through immediately.
    private func messages(_ door: Door, _ client: Gatekeeper.Client, size: Int = 1) -> Int {
        (0..<100).first {
            _ in door.publish(AllowanceTests.fix, size: size, by: client) == .cutOff
        } ?? 100
    }

    @Test func `An unpausable client is disconnected, and reconnecting renews no allowance`()
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

    @Test func `A metrics reader has no larger allowance than a device`() async throws {
        try await withThrift { door in
            let watcher = try #require(door.enter("kith:metrics"))
            #expect(messages(door, watcher) == 15)
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(messages(door, bridge) == 100)
        }
    }

    @Test func `A large message counts as several`() async throws {
        try await withThrift { door in
            let client = try #require(door.enter("alice.phone"))
            #expect(messages(door, client, size: 201) == 5)
        }
    }

    @Test func `Devices have separate allowances within their person's total`() async throws {
        try await withThrift { door in
            let topic = "kith/users/alice/devices/tablet/fix"
            let phone = try #require(door.enter("alice.phone"))
            #expect(messages(door, phone) == 15)
            let tablet = try #require(door.enter("alice.tablet"))
            for _ in 0..<3 { #expect(door.publish(topic, by: tablet) == .allowed) }
            door.tick()
            #expect(door.pauses() == [.pause(phone)])
            // Ten of one device, and twice as many of all: beyond that any message is too many.
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

    @Test func `A phone is not delayed by the person's other devices`() async throws {
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
    func `A sample in an array counts as a single one does`(_ kind: String) async throws {
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
            // It owes 900, and earns 500 a second plus what others leave.
            door.pass(.seconds(2))
            #expect(door.pauses() == [.resume(phone)])
        }
    }

    @Test func `A message other than a fix counts by its bytes, whatever it holds`() async throws {
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

    @Test func `An oversized message is rejected and counted, and ends no connection`() async throws
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

    @Test func `An oversized request is answered on its caller's replies topic`() async throws {
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

    @Test func `A party with its full allowance back is forgotten`() async throws {
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

    @Test func `A device that keeps reconnecting is deferred and admitted later`() async throws {
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

    @Test func `A rush of connections defers some clients, but not the bridge`() async throws {
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

    @Test func `A failed login takes no one's place`() async throws {
        try await withDoor {
            $0.limits.arrivals = Allowance(burst: 3, perSecond: 0.001)
        } _: { door in
            for _ in 0..<10 { #expect(door.enter("alice.phone", token: "wrong") == nil) }
            #expect(door.enter("alice.phone") != nil)
            #expect(door.metric("gate-connections-refused") == "10")
        }
    }

    @Test func `Devices that connect within a moment share a report`() async throws {
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

    @Test func `The number of connections is reported`() async throws {
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
            // The broker silently reuses the address for another client.
            let client = try #require(door.enter("alice.phone", as: phone))
            _ = try #require(door.enter("alice.phone", as: client))
            #expect(door.metric("gate-connections") == "2")
        }
    }

    @Test func `A refusal not reported to its device is counted`() async throws {
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
