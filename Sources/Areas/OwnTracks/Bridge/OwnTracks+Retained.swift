import Contract
import Tracking

extension OwnTracks {
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .ownTracksMember(let viewer, let name, _) = topic else { return nil }
        guard let viewer = memory.person(viewer), viewer.usesOwnTracks,
            let member = memory.person(name)
        else { return false }
        return !member.appearance(to: viewer).location.isEmpty
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        guard person.usesOwnTracks else { return [] }
        return person.acquaintances.sorted { $0.key < $1.key }.flatMap { _, member in
            let (location, card) = member.appearance(to: person)
            guard !location.isEmpty else { return [(topic: Topic, payload: [UInt8])]() }
            return [("", location), ("info", card)].map { suffix, payload in
                (.ownTracksMember(viewer: person.name, member.name, suffix: suffix), payload)
            }
        }
    }
}
