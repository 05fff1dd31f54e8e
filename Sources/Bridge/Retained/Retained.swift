import Contract
import MQTT
import Store
import Tracking

/// What the broker should keep on the bridge's topics, worked out from the store.
///
/// The broker may have lost some of it (it was killed) and we may have failed to publish the
/// last of it (we were). Whoever connects compares, and publishes the difference alone.
struct Retained {
    private(set) var payloads: [String: [UInt8]] = [:]

    static func expected(_ memory: Memory, _ settings: BridgeSettings, _ transaction: Transaction)
        throws(StoreError) -> Retained
    {
        let topics = settings.topics
        var retained = Retained()
        for group in memory.groups.values {
            retained.payloads[topics.string(.group(group.key))] = group.message.payload
            for member in group.members {
                guard let session = member.tracker.session(in: group.id) else { continue }
                let state = MemberState(
                    user: member.name, name: member.displayName, tracker: member.tracker,
                    session: session, rules: settings.rules)
                let topic = topics.string(.member(group.key, member.name))
                retained.payloads[topic] = state.payload
            }
        }
        for person in memory.people.values {
            guard !person.memberships.isEmpty else { continue }
            let message = UserGroupsMessage(
                groups: person.memberships.map { ($0.group.key, $0.group.name) })
            retained.payloads[topics.string(.userGroups(person.name))] = message.payload
            if person.usesOwnTracks { retained.addViews(for: person, topics) }
        }
        try retained.addPaths(memory, topics, transaction)
        return retained
    }

    private mutating func addViews(for viewer: Person, _ topics: TopicSpace) {
        for (_, member) in viewer.acquaintances {
            let (location, card) = member.appearance(to: viewer)
            guard !location.isEmpty else { continue }
            for (suffix, payload) in [("", location), ("info", card)] {
                let topic = Topic.ownTracksMember(
                    viewer: viewer.name, member.name, suffix: suffix)
                payloads[topics.string(topic)] = payload
            }
        }
    }

    private mutating func addPaths(
        _ memory: Memory, _ topics: TopicSpace, _ transaction: Transaction
    ) throws(StoreError) {
        memory.publishedSegments = [:]
        for (groupID, userID) in try transaction.visiblePaths() {
            guard let group = memory.groups[groupID], let person = memory.people[userID],
                let path = try transaction.visiblePath(of: userID, to: groupID)
            else { continue }
            let segments = try transaction.segments(of: path, from: 1)
            for segment in segments {
                let topic = Topic.path(group.key, person.name, segment: segment.segment)
                payloads[topics.string(topic)] = segment.payload
            }
            let key = Memory.PathKey(group: groupID, user: userID)
            memory.publishedSegments[key] = segments.isEmpty ? nil : segments.count
        }
    }

    /// In the order of their topics.
    func corrections(of actual: [String: [UInt8]]) -> [Publication] {
        var publications: [Publication] = []
        for (topic, payload) in payloads where actual[topic] != payload {
            publications.append(
                Publication(topic: topic, payload: payload, qos: .atLeastOnce, retain: true))
        }
        for topic in actual.keys where payloads[topic] == nil {
            publications.append(
                Publication(topic: topic, payload: [], qos: .atLeastOnce, retain: true))
        }
        return publications.sorted { $0.topic < $1.topic }
    }
}

extension Transaction {
    /// The segments of a path as they are published, from this one on.
    func segments(of path: PathRow, from first: Int) throws(StoreError) -> [PathSegment] {
        let length = Path.segmentLength
        let points = try pathPoints(
            path.number, of: path.user, from: (first - 1) * length, count: .max)
        return stride(from: 0, to: points.count, by: length).map { start in
            PathSegment(
                segment: first + start / length, mode: path.mode,
                points: Array(points[start..<min(start + length, points.count)]))
        }
    }
}
