import Contract
import TestSupport
import Testing
import Tracking

@testable import Gate

/// Clients that have opened a link to a person's location.
struct ViewerTests {
    private struct Scene {
        let door: Door
        let accounts = MemoryAccess()
        let share: Grant
        let token: PrincipalToken

        init(_ town: Town, _ change: (inout GateSettings) -> Void) throws {
            var random = SystemRandomNumberGenerator()
            share = Grant(.share, UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 2)))
            token = PrincipalToken(.bearer(share), using: &random)
            accounts.set(share, GrantAccess(tokenHash: token.hash, maker: "alice"))
            door = Door(
                town, opening: { [accounts] () throws(AccessSourceError) in accounts },
                change: change)
            door.pass(.milliseconds(100))
        }

        var topic: String { "kith/shares/\(share.id)/state" }

        func enter(_ token: PrincipalToken? = nil, id: String = "web-1") -> Gatekeeper.Client? {
            let token = token ?? self.token
            return door.enter(token.username, id: id, token: token.text)
        }
    }

    private func withScene(
        change: (inout GateSettings) -> Void = { _ in }, _ body: (Scene) throws -> Void
    ) async throws {
        try await withDoor { door in try body(try Scene(door.town, change)) }
    }

    @Test func `Viewers receive on the link's topic and can do nothing else`() async throws {
        try await withScene { scene in
            let viewer = try #require(scene.enter())
            #expect(scene.door.subscribe(scene.topic, by: viewer))
            #expect(scene.door.mayReceive(scene.topic, viewer))
            let other = UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 3))
            for filter in [
                "kith/shares/+/state", "kith/shares/#", "#", "kith/#",
                "kith/shares/\(other)/state", "kith/users/alice/#", FamilyTopic.alerts,
            ] {
                #expect(!scene.door.subscribe(filter, by: viewer), "\(filter)")
            }
            #expect(!scene.door.mayReceive("kith/shares/\(other)/state", viewer))
            #expect(!scene.door.mayReceive(FamilyTopic.alerts, viewer))
            for topic in [
                scene.topic, "kith/users/alice/devices/phone/fix",
                "kith/guests/web-1/requests/group.list",
            ] {
                #expect(scene.door.publish(topic, by: viewer) == .refused, "\(topic)")
            }
        }
    }

    @Test func `A viewer needs its link's token`() async throws {
        try await withScene { scene in
            var random = SystemRandomNumberGenerator()
            let wrong = PrincipalToken(.bearer(scene.share), using: &random)
            #expect(scene.enter(wrong) == nil)
            let other = Grant(.share, UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 3)))
            let stolen = PrincipalToken(.bearer(other), secret: scene.token.secret)
            #expect(scene.enter(stolen) == nil)
            // A token for one link, and the name of another.
            scene.accounts.set(other, GrantAccess(tokenHash: wrong.hash, maker: "alice"))
            scene.door.pass(.milliseconds(10))
            #expect(
                scene.door.enter(stolen.username, id: "web-2", token: scene.token.text) == nil)
            let shouted = scene.token.username.uppercased()
            #expect(scene.door.enter(shouted, id: "web-3", token: scene.token.text) == nil)
        }
    }

    @Test func `Viewers of an ended link receive nothing and are disconnected`() async throws {
        try await withScene { scene in
            let viewer = try #require(scene.enter())
            #expect(scene.door.subscribe(scene.topic, by: viewer))
            scene.accounts.set(scene.share, nil)
            scene.door.skip(AccessPolicy.freshness)
            #expect(!scene.door.mayReceive(scene.topic, viewer))
            scene.door.pass(.milliseconds(100))
            #expect(scene.door.cutOffs() == ["web-1"])
            #expect(scene.enter(id: "web-2") == nil)
        }
    }

    @Test func `Viewers have no persistent session`() async throws {
        try await withScene { scene in
            let token = scene.token
            #expect(
                scene.door.enter(
                    token.username, id: "\(token.username).a", token: token.text, isContinued: true)
                    == nil)
        }
    }

    @Test func `A link's connections are limited and leave nothing behind`() async throws {
        try await withScene { scene in
            let most = GateSettings.Limits().connectionsOfUser
            let viewers = (0..<most).compactMap { scene.enter(id: "web-\($0)") }
            #expect(viewers.count == most)
            #expect(scene.enter(id: "web-one-more") == nil)
            for viewer in viewers { scene.door.leave(viewer) }
            scene.door.pass(.seconds(2))
            #expect(scene.door.gatekeeper.clientsByHolder.isEmpty)
        }
    }

    @Test func `Viewers of a person's links share an allowance separate from the person's`()
        async throws
    {
        try await withScene {
            $0.limits.connectionsOfViewers = 2
        } _: { scene in
            func link(of owner: Name, _ number: UInt64) -> PrincipalToken {
                var random = SystemRandomNumberGenerator()
                let share = Grant(
                    .share, UUIDv7(at: Timestamp(milliseconds: 1), random: (3, number)))
                let token = PrincipalToken(.bearer(share), using: &random)
                scene.accounts.set(share, GrantAccess(tokenHash: token.hash, maker: owner))
                return token
            }
            let first = try #require(scene.enter())
            let second = try #require(scene.enter(link(of: "alice", 2), id: "web-2"))
            #expect(scene.enter(link(of: "alice", 3), id: "web-3") == nil)
            #expect(scene.enter(link(of: "bob", 4), id: "web-4") != nil)
            let meters = try [first, second].map {
                try #require(scene.door.gatekeeper.sessions[$0]?.meter)
            }
            #expect(meters[0] !== meters[1] && meters[0].above === meters[1].above)
            #expect(meters[0].above != nil)
            let alice = scene.door.gatekeeper.meters.holders(of: .person("alice"))
            #expect(alice == 0, "what strangers do is not charged to her")
        }
    }

    @Test func `Viewers of a link that cannot be read are deferred, not refused`() async throws {
        try await withScene { scene in
            scene.accounts.unreadableGrant = scene.share
            #expect(scene.enter() == nil)
            #expect(scene.door.metric("gate-connections-refused") == "0")
            #expect(scene.door.metric("gate-connections-put-off") == "1")
            scene.accounts.unreadableGrant = nil
            #expect(scene.enter() != nil)
        }
    }
}
