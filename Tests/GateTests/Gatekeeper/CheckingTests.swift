import Contract
import TestSupport
import Testing

@testable import Gate

/// A load balancer asks whether clients should connect.
struct CheckingTests {
    private func check(_ door: Door) -> Gatekeeper.Verdict {
        door.gatekeeper.connect(
            Gatekeeper.Introduction(
                clientID: "check", username: "kith:check", password: nil, address: "10.0.0.9",
                isContinued: false, mayKeepNewSession: false),
            as: door.newClient(), at: door.now)
    }

    @Test func `A check has an answer while the bridge is connected, and is never let in`()
        async throws
    {
        try await withDoor { door in
            #expect(check(door) == .cutOff)
            let bridge = try #require(door.enter("kith:bridge"))
            #expect(check(door) == .cutOff)
            door.pass(.seconds(2))
            let early = try #require(door.enter("kith:bridge", id: "kith:bridge.1.early"))
            #expect(check(door) == .refused)
            door.leave(bridge)
            door.pass(.seconds(30))
            #expect(check(door) == .refused)
            door.leave(early)
            door.pass(.seconds(9))
            #expect(check(door) == .refused)
            door.pass(.seconds(2))
            #expect(check(door) == .cutOff)
            // It comes and goes.
            for _ in 1...5 {
                let again = try #require(door.enter("kith:bridge"))
                #expect(check(door) == .cutOff)
                door.leave(again)
                door.pass(.milliseconds(500))
            }
            _ = try #require(door.enter("kith:bridge"))
            door.pass(.seconds(2))
            #expect(check(door) == .refused)
        }
    }

    @Test func `Checks fail while the rights cannot be read`() async throws {
        try await withDoor { door in
            let queue = try door.lockable()
            _ = try #require(door.enter("kith:bridge"))
            door.pass(.seconds(2))
            #expect(check(door) == .refused)
            try queue.lock()
            door.pass(.milliseconds(400))
            #expect(check(door) == .cutOff)
            try queue.unlock()
            door.pass(.milliseconds(400))
            #expect(check(door) == .refused)
        }
    }

    @Test func `A gate that has lacked rights for a while has checks fail`() async throws {
        try await withDoor { door in
            let bridge = try #require(door.enter("kith:bridge"))
            door.pass(.seconds(2))
            let topic = TopicSpace().rightsCheck
            #expect(door.publish(topic, payload: "999999", by: bridge) == .refused)
            #expect(check(door) == .refused)
            door.pass(.seconds(4))
            #expect(check(door) == .cutOff)
            #expect(door.publish(topic, payload: "0", by: bridge) == .allowed)
            #expect(check(door) == .refused)
        }
    }

    @Test func `A check is counted and logged nowhere`() async throws {
        try await withDoor { door in
            _ = try #require(door.enter("kith:bridge"))
            for _ in 1...100 { _ = check(door) }
            door.pass(.seconds(120))
            #expect(!door.lines().contains { $0.contains("refused") })
        }
    }
}
