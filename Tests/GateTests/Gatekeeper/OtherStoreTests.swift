import Contract
import TestSupport
import Testing
import Tracking

@testable import Gate

/// The gatekeeper with a store that is not a database.
struct OtherStoreTests {
    /// Alice and Bob are a family; their phones' tokens come with them.
    private struct Scene {
        let accounts = MemoryAccess()
        let tokens: [String: String]

        init() {
            var (random, tokens) = (SplitMix64(seed: 1), [String: String]())
            for name: Name in ["alice", "bob"] {
                let token = DeviceToken(user: name, device: "phone", using: &random)
                tokens["\(name).phone"] = token.text
                accounts.set(
                    name,
                    UserAccess(
                        since: .noon, tokenHashes: ["phone": token.hash],
                        facts: AccessFacts(groups: [.family])))
            }
            self.tokens = tokens
        }
    }

    private func withDoor(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Door, Scene, Gatekeeper.Client) throws -> Void
    ) async throws {
        try await GateTests.withDoor { known in
            let scene = Scene()
            let door = Door(known.town) { () throws(AccessSourceError) in
                if let failure = scene.accounts.failure { throw failure }
                scene.accounts.isReplaced = false
                return scene.accounts
            }
            let bob = try #require(door.enter("bob.phone", token: scene.tokens["bob.phone"]))
            #expect(door.subscribe(FamilyTopic.alerts, by: bob))
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            try body(door, scene, bob)
        }
    }

    @Test func `The store decides which clients may connect and receive`() async throws {
        try await withDoor { door, scene, bob in
            #expect(door.enter("alice.phone", token: scene.tokens["bob.phone"]) == nil)
            let alice = try #require(
                door.enter("alice.phone", token: scene.tokens["alice.phone"]))
            scene.accounts.change("bob") { $0.facts.groups = [] }
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
            #expect(door.mayReceive(FamilyTopic.alerts, alice))
            door.pass(.milliseconds(300))
            #expect(door.cutOffs() == ["bob.phone"])
            scene.accounts.set("alice", nil)
            #expect(door.publish("kith/users/alice/devices/phone/fix", by: alice) == .cutOff)
            #expect(!door.mayReceive(FamilyTopic.root + "/members/alice", bob))
        }
    }

    @Test func `A store that has lost its changes has every client reviewed`() async throws {
        try await withDoor { door, scene, bob in
            scene.accounts.change("bob") { $0.facts.groups = [] }
            scene.accounts.forgetChanges()
            door.pass(.milliseconds(300))
            #expect(door.cutOffs() == ["bob.phone"])
        }
    }

    @Test func `A replaced store takes effect within a second`() async throws {
        try await withDoor { door, scene, bob in
            scene.accounts.changeUnnoticed("bob") { $0.facts.groups = [] }
            door.pass(.milliseconds(1500))
            #expect(door.cutOffs() == [])
            scene.accounts.isReplaced = true
            door.pass(.milliseconds(1100))
            #expect(door.cutOffs() == ["bob.phone"])
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
        }
    }

    @Test func `An unreadable store has everything refused, with its reason logged`() async throws {
        try await withDoor { door, scene, bob in
            scene.accounts.failure = AccessSourceError("The cupboard is locked.")
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            door.pass(.milliseconds(300))
            #expect(!door.mayReceive(FamilyTopic.alerts, bob))
            #expect(door.enter("alice.phone", token: scene.tokens["alice.phone"]) == nil)
            #expect(
                door.lines().first
                    == "kith: everything is refused because the database cannot be read. The cupboard is locked."
            )
            scene.accounts.failure = nil
            door.pass(.milliseconds(300))
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            #expect(door.lines().first == "kith: the database can be read again.")
        }
    }

    @Test func `An unreadable user is the only one refused`() async throws {
        try await withDoor { door, scene, bob in
            scene.accounts.unreadable = "alice"
            #expect(door.enter("alice.phone", token: scene.tokens["alice.phone"]) == nil)
            #expect(door.mayReceive(FamilyTopic.alerts, bob))
            door.pass(.milliseconds(100))
            #expect(
                door.lines().first
                    == "kith: a client is refused because its rights cannot be read. A page is torn."
            )
        }
    }

    @Test func `Only vital signs and passwords are sealed, with a new key within a second`()
        async throws
    {
        try await withDoor { door, scene, _ in
            let vitals = "kith/users/alice/devices/phone/vitals"
            let key = { door.gatekeeper.envelopeKey(for: $0, at: door.now) }
            #expect(key(vitals) == nil)
            scene.accounts.setEnvelopeKey([1])
            door.pass(.milliseconds(1100))
            #expect(key(vitals) == [1])
            #expect(key("kith/users/alice/devices/phone/fix") == nil && key("other") == nil)
            // Requests are not sealed either, except those that carry a password.
            let requests = "kith/users/alice/devices/phone/requests/"
            #expect(key(requests + "sos.trigger") == nil && key(requests + "nothing") == nil)
            #expect(key(requests + "account.password") == [1])
            #expect(key("kith/guests/mosq-1/requests/account.login") == [1])
            scene.accounts.setEnvelopeKey([2])
            door.pass(.milliseconds(300))
            scene.accounts.setEnvelopeKey([3])
            door.pass(.milliseconds(1100))
            #expect(key(vitals) == [3])
            // While the store cannot be read, the last key counts.
            scene.accounts.setEnvelopeKey([4])
            scene.accounts.failure = AccessSourceError("The cupboard is locked.")
            door.pass(.milliseconds(1100))
            #expect(key(vitals) == [3])
            scene.accounts.failure = nil
            door.pass(.milliseconds(1100))
            #expect(key(vitals) == [4])
        }
    }
}
