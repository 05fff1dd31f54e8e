import Contract
import Limits
import TestSupport
import Testing
import Tracking

@testable import Gate

/// Programs that see what a group sees.
struct ObserverTests {
    private struct Scene {
        let door: Door
        let accounts = MemoryAccess()
        let observer: Grant
        let token: PrincipalToken

        init(_ town: Town, _ change: (inout GateSettings) -> Void) {
            var random = SystemRandomNumberGenerator()
            observer = Grant(.observer, UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 2)))
            token = PrincipalToken(.bearer(observer), using: &random)
            accounts.set(observer, Scene.access(token, by: "alice"))
            accounts.set("alice", UserAccess(since: .noon))
            door = Door(
                town, opening: { [accounts] () throws(AccessSourceError) in accounts },
                change: change)
            door.pass(.milliseconds(100))
        }

        private static func access(_ token: PrincipalToken, by maker: Name) -> GrantAccess {
            GrantAccess(
                tokenHash: token.hash, maker: maker, facts: AccessFacts(groups: [.family]))
        }

        func enter(_ token: PrincipalToken? = nil, id: String = "home-1") -> Gatekeeper.Client? {
            let token = token ?? self.token
            return door.enter(token.username, id: id, token: token.text)
        }

        /// One more observer of the family.
        func observer(of maker: Name, _ number: UInt64) -> PrincipalToken {
            var random = SystemRandomNumberGenerator()
            let observer = Grant(
                .observer, UUIDv7(at: Timestamp(milliseconds: 1), random: (2, number)))
            let token = PrincipalToken(.bearer(observer), using: &random)
            accounts.set(observer, Scene.access(token, by: maker))
            return token
        }
    }

    private func withScene(
        change: (inout GateSettings) -> Void = { _ in }, _ body: (Scene) throws -> Void
    ) async throws {
        try await withDoor { door in try body(Scene(door.town, change)) }
    }

    private static let family = "kith/groups/\(GroupKey.family)"

    @Test func `Observers see only their group, its members and its alerts`() async throws {
        try await withScene { scene in
            let home = try #require(scene.enter())
            let seen = [
                ObserverTests.family, ObserverTests.family + "/members/alice",
                ObserverTests.family + "/alerts",
            ]
            for topic in seen + [ObserverTests.family + "/members/+"] {
                #expect(scene.door.subscribe(topic, by: home), "\(topic)")
            }
            for topic in seen { #expect(scene.door.mayReceive(topic, home), "\(topic)") }
            let unseen = [
                ObserverTests.family + "/chat", ObserverTests.family + "/members/alice/path/1",
                "kith/groups/\(GroupKey.work)/alerts", "kith/users/alice/location",
                "kith/users/alice/notices", "kith/places/one",
            ]
            for topic in unseen {
                #expect(!scene.door.subscribe(topic, by: home), "\(topic)")
                #expect(!scene.door.mayReceive(topic, home), "\(topic)")
            }
            for filter in [
                "#", "kith/#", "kith/groups/#", "kith/groups/+/members/+",
                ObserverTests.family + "/#",
            ] {
                #expect(!scene.door.subscribe(filter, by: home), "\(filter)")
            }
        }
    }

    @Test func `Observers publish nothing, and their presence is not reported`() async throws {
        try await withScene { scene in
            let home = try #require(scene.enter())
            for topic in [
                ObserverTests.family, ObserverTests.family + "/chat",
                ObserverTests.family + "/alerts", "kith/users/alice/devices/phone/fix",
                "kith/users/alice/devices/phone/requests/sos.stop",
                "kith/guests/home-1/requests/group.list",
            ] {
                #expect(scene.door.publish(topic, by: home) == .refused, "\(topic)")
            }
            #expect(scene.door.gatekeeper.parties.isEmpty)
        }
    }

    @Test func `An observer needs its own token`() async throws {
        try await withScene { scene in
            var random = SystemRandomNumberGenerator()
            let wrong = PrincipalToken(.bearer(scene.observer), using: &random)
            #expect(scene.enter(wrong) == nil)
            let other = Grant(.observer, UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 3)))
            let stolen = PrincipalToken(.bearer(other), secret: scene.token.secret)
            #expect(scene.enter(stolen) == nil)
            let shouted = scene.token.username.uppercased()
            #expect(scene.door.enter(shouted, id: "home-3", token: scene.token.text) == nil)
            let token = scene.token
            #expect(
                scene.door.enter(
                    token.username, id: "\(token.username).a", token: token.text, isContinued: true)
                    == nil, "a session that lasts")
        }
    }

    /// The bridge clears retained messages only after the account is gone.
    @Test func `Observers see nothing of a deleted account`() async throws {
        try await withScene { scene in
            let home = try #require(scene.enter())
            let member = ObserverTests.family + "/members/alice"
            #expect(scene.door.subscribe(member, by: home))
            #expect(scene.door.mayReceive(member, home, payload: "{}"))
            scene.accounts.set("alice", nil)
            scene.door.skip(AccessPolicy.freshness)
            #expect(!scene.door.mayReceive(member, home, payload: "{}"))
            #expect(scene.door.mayReceive(member, home, payload: ""), "what takes it away")
        }
    }

    @Test func `Observers whose rights cannot be read are deferred, not refused`() async throws {
        try await withScene { scene in
            var random = SystemRandomNumberGenerator()
            let wrong = PrincipalToken(.bearer(scene.observer), using: &random)
            scene.accounts.unreadableGrant = scene.observer
            #expect(scene.enter() == nil)
            #expect(scene.enter(wrong) == nil)
            #expect(scene.door.metric("gate-connections-refused") == "0")
            #expect(scene.door.metric("gate-connections-put-off") == "2")
            scene.accounts.unreadableGrant = nil
            #expect(scene.enter() != nil)
            #expect(scene.enter(wrong, id: "home-2") == nil)
            #expect(scene.door.metric("gate-connections-refused") == "1")
        }
    }

    @Test func `A person's observers share the connection limit of one device`() async throws {
        try await withScene {
            $0.limits.connectionsOfUser = 3
        } _: { scene in
            var last: Gatekeeper.Client?
            for number in 1...3 as ClosedRange<UInt64> {
                last = scene.enter(scene.observer(of: "alice", number), id: "home-\(number)")
                #expect(last != nil)
            }
            let fourth = scene.observer(of: "alice", 4)
            #expect(scene.enter(fourth, id: "home-4") == nil)
            // They take no one else's place, including that of the person's own phone.
            #expect(scene.enter(scene.observer(of: "bob", 5), id: "home-5") != nil)
            let phone = DeviceToken(user: "alice", device: "phone", secret: scene.token.secret)
            scene.accounts.set(
                "alice", UserAccess(since: .noon, tokenHashes: ["phone": phone.hash]))
            scene.door.skip(AccessPolicy.freshness)
            #expect(scene.door.enter("alice.phone", token: phone.text) != nil)
            scene.door.leave(try #require(last))
            #expect(scene.enter(fourth, id: "home-4") != nil)
        }
    }

    @Test func `A person's observers together may send hardly more than one device`() async throws {
        try await withScene { scene in
            var count = 0
            for number in 1...20 as ClosedRange<UInt64> {
                let home = try #require(
                    scene.enter(scene.observer(of: "alice", number), id: "home-\(number)"))
                // Until it owes something, without time to pay it back.
                let meter = try #require(scene.door.gatekeeper.sessions[home]?.meter)
                while meter.left(at: scene.door.now) >= 1, count < 100_000 {
                    count += 1
                    let topic = ObserverTests.family + "/alerts"
                    let verdict = scene.door.gatekeeper.publish(
                        topic, size: 1, objects: 1, retained: false, qos: 1, payload: [],
                        by: home, at: scene.door.now)
                    #expect(verdict == .refused)
                }
            }
            let limits = GateSettings.Limits()
            let one = Int(limits.deviceMessages.burst)
            #expect((one...(one * 5 / 2)).contains(count), "\(count)")
        }
    }

    @Test func `An ended observer receives nothing and is disconnected`() async throws {
        try await withScene { scene in
            let home = try #require(scene.enter())
            #expect(scene.door.subscribe(ObserverTests.family + "/alerts", by: home))
            scene.accounts.set(scene.observer, nil)
            scene.door.skip(AccessPolicy.freshness)
            #expect(!scene.door.mayReceive(ObserverTests.family + "/alerts", home))
            scene.door.pass(.milliseconds(100))
            #expect(scene.door.cutOffs() == ["home-1"])
            #expect(scene.enter(id: "home-2") == nil)
        }
    }
}
