import Contract
import JSON
import MQTT
import Tracking

/// People who use the OwnTracks app.
final class SimulatedOwnTracks: SimulatedArea {
    unowned let world: World

    init(_ world: World) { self.world = world }

    // MARK: Life

    /// Gives two people the app, besides a phone that can send requests.
    func settle() throws {
        guard let device = Name("app") else { return }
        for user in ["ben", "dee"].compactMap({ Name($0) }) {
            try world.give(user, device, OwnTracksApp(), isPersistent: true)
        }
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(filters: ["owntracks/\(victim)/#"], topics: ["owntracks/\(victim)/phone"])
    }

    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] {
        [(4, { self.spell(adversary) })]
    }

    /// Sends a position under an odd spelling of the device's name.
    private func spell(_ adversary: Adversary) {
        let chance = world.chance
        let name = "phone".map { chance.happens(50) ? $0.uppercased() : String($0) }.joined()
        let text =
            #"{"_type":"location","lat":10.1,"lon":10,"tst":\#(world.wall.milliseconds / 1000)}"#
        adversary.send(
            Message(
                topic: "owntracks/\(adversary.user)/\(name)", payload: Array(text.utf8),
                retain: chance.happens(70)))
    }

    // MARK: Oracles

    func sender(of topic: Topic) -> (user: Name, device: Name)? {
        guard case .ownTracks(let user, let device, "") = topic else { return nil }
        return (user, device)
    }

    /// Checks that an app shows only people whose position one of its user's groups can see.
    func checkRest() throws {
        for topic in world.broker.state.retained.keys.sorted() {
            guard case .ownTracksMember(let viewer, let member, "") = world.topics.parse(topic),
                !isSeen(member, by: viewer)
            else { continue }
            world.oracles.fail("locations", "the app of \(viewer) shows \(member)")
        }
    }

    private func isSeen(_ member: Name, by viewer: Name) -> Bool {
        let groups = world.area(SimulatedGroups.self).memberSince[viewer] ?? [:]
        return groups.keys.contains { group in
            let topic = world.topics.string(.member(group, member))
            let state = JSONValue.of(world.broker.state.retained[topic]?.payload ?? [])
            return state["fix"].map { $0 != .null } ?? false
        }
    }

    static var canaries: [Canary] { [keepFormerMembers] }

    /// Bug: an app's view of a former member is not cleared.
    private static var keepFormerMembers: Canary {
        var canary = Canary("keepFormerMembers", foundBy: "locations", "retained")
        canary.sending = { messages in
            for index in messages.indices
            where messages[index].topic.hasPrefix("owntracks/") && messages[index].payload.isEmpty {
                messages[index].payload = Array(#"{"_type":"location"}"#.utf8)
            }
        }
        return canary
    }
}
