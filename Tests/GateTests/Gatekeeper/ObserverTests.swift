import Contract
import TestTown
import Testing
import Tracking

@testable import Gate

/// Programs that see what a group sees.
struct ObserverTests {
    private struct Scene {
        let door: Door
        let accounts = MemoryAccess()
        let observer: UUIDv7
        let token: ObserverToken

        init(_ town: Town) {
            var random = SystemRandomNumberGenerator()
            observer = UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 2))
            token = ObserverToken(observer, secret: TokenSecret(using: &random))
            accounts.setObserver(
                observer, ObserverAccess(tokenHash: token.hash, group: .family))
            door = Door(town, opening: { [accounts] () throws(AccessSourceError) in accounts })
            door.pass(.milliseconds(100))
        }

        func enter(_ token: ObserverToken? = nil, id: String = "home-1") -> Gatekeeper.Client? {
            let token = token ?? self.token
            return door.enter(token.username, id: id, token: token.text)
        }
    }

    private func withScene(_ body: (Scene) throws -> Void) async throws {
        try await withDoor { door in try body(Scene(door.town)) }
    }

    private static let family = "kith/groups/\(GroupKey.family)"

    @Test func `They see members and alerts of their group, and nothing else`() async throws {
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

    @Test func `They may say nothing, and nobody is told that they are there`() async throws {
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

    @Test func `Nobody comes in without the token, or by another's`() async throws {
        try await withScene { scene in
            var random = SystemRandomNumberGenerator()
            let wrong = ObserverToken(scene.observer, secret: TokenSecret(using: &random))
            #expect(scene.enter(wrong) == nil)
            let other = UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 3))
            #expect(scene.enter(ObserverToken(other, secret: scene.token.secret)) == nil)
            let shouted = scene.token.username.uppercased()
            #expect(scene.door.enter(shouted, id: "home-3", token: scene.token.text) == nil)
            let token = scene.token
            #expect(
                scene.door.enter(
                    token.username, id: "\(token.username).a", token: token.text, isContinued: true)
                    == nil, "a session that lasts")
        }
    }

    @Test func `When it ends they receive nothing, and are cut off`() async throws {
        try await withScene { scene in
            let home = try #require(scene.enter())
            #expect(scene.door.subscribe(ObserverTests.family + "/alerts", by: home))
            scene.accounts.setObserver(scene.observer, nil)
            scene.door.skip(AccessPolicy.freshness)
            #expect(!scene.door.mayReceive(ObserverTests.family + "/alerts", home))
            scene.door.pass(.milliseconds(100))
            #expect(scene.door.cutOffs() == ["home-1"])
            #expect(scene.enter(id: "home-2") == nil)
        }
    }
}
