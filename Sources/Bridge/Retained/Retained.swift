import Contract
import MQTT
import Store
import Tracking

/// What the broker should retain on the bridge's topics, derived from memory and the store.
struct Retained {
    private let memory: Memory
    private let settings: BridgeSettings
    private var topics: TopicSpace { settings.topics }

    typealias Payloads = [(topic: String, payload: [UInt8])]

    init(_ memory: Memory, _ settings: BridgeSettings) {
        self.memory = memory
        self.settings = settings
    }

    /// Returns the payloads for a group and the states of its members.
    func payloads(of id: GroupID) -> Payloads {
        guard let group = memory.groups[id] else { return [] }
        var payloads = [(topics.string(.group(group.key)), group.message.payload)]
        for member in group.members {
            guard let session = member.tracker.session(in: id) else { continue }
            let state = MemberState(
                user: member.name, name: member.displayName, tracker: member.tracker,
                session: session, rules: settings.rules)
            payloads.append((topics.string(.member(group.key, member.name)), state.payload))
        }
        return payloads
    }

    /// Returns the payloads for a user's groups, for the position that the user's friends see, and
    /// for the map of the user's OwnTracks app.
    func payloads(of id: UserID) -> Payloads {
        guard let person = memory.people[id] else { return [] }
        var payloads: Payloads = []
        if let location = person.locationForFriends {
            payloads.append((topics.string(.location(person.name)), location))
        }
        guard !person.memberships.isEmpty else { return payloads }
        let message = UserGroupsMessage(
            groups: person.memberships.map { ($0.group.key, $0.group.name) })
        payloads.append((topics.string(.userGroups(person.name)), message.payload))
        guard person.usesOwnTracks else { return payloads }
        for (_, member) in person.acquaintances.sorted(by: { $0.key < $1.key }) {
            let (location, card) = member.appearance(to: person)
            guard !location.isEmpty else { continue }
            for (suffix, payload) in [("", location), ("info", card)] {
                let topic = Topic.ownTracksMember(viewer: person.name, member.name, suffix: suffix)
                payloads.append((topics.string(topic), payload))
            }
        }
        return payloads
    }

    /// Returns the empty list of groups that a user without groups was sent, for apps that were
    /// offline then; nil for other users.
    func emptyGroups(of id: UserID) -> (topic: String, payload: [UInt8])? {
        guard let person = memory.people[id], person.memberships.isEmpty else { return nil }
        return (
            topics.string(.userGroups(person.name)), UserGroupsMessage(groups: []).payload
        )
    }

    func paths(of user: UserID, in group: GroupID, _ transaction: Transaction)
        throws(StoreError) -> Payloads
    {
        guard let group = memory.groups[group], let person = memory.people[user],
            let path = try transaction.visiblePath(of: user, to: group.id)
        else { return [] }
        return try transaction.lastSegments(of: path, of: person).map { segment in
            let topic = Topic.path(group.key, person.name, segment: segment.segment)
            return (topics.string(topic), segment.payload)
        }
    }

    /// Returns whether something should be retained on the topic.
    func expects(_ topic: String) -> Bool {
        switch topics.parse(topic) {
        case .group(let key): return memory.group(key) != nil
        case .member(let key, let name):
            return memory.group(key)?.members.contains { $0.name == name } ?? false
        case .path(let key, let name, let segment):
            guard let group = memory.group(key), let person = memory.person(name) else {
                return false
            }
            let path = Memory.PathKey(group: group.id, user: person.id)
            return memory.paths.published[path]?.contains(segment) ?? false
        case .userGroups(let name): return memory.person(name)?.memberships.isEmpty == false
        case .location(let name): return memory.person(name)?.locationForFriends != nil
        case .ownTracksMember(let viewer, let name, _):
            guard let viewer = memory.person(viewer), viewer.usesOwnTracks,
                let member = memory.person(name)
            else { return false }
            return !member.appearance(to: viewer).location.isEmpty
        case .fix, .status, .request, .replies, .rejected, .stored, .notices, .alerts, .chat,
            .guestRequest, .guestReplies, .ownTracks, .systemStatus, .metric, .brokerFigure,
            .connections, .marker, nil:
            return false
        }
    }
}

extension Transaction {
    /// Returns the retained segments of a path, as they are published.
    func lastSegments(of path: PathRow, of person: Person) throws(StoreError) -> [PathSegment] {
        guard let segments = path.retainedSegments(of: person) else { return [] }
        let length = Path.segmentLength
        let count = path.length(of: person) - (segments.lowerBound - 1) * length
        let points = try lastPathPoints(path.number, of: person.id, count: count)
        return stride(from: 0, to: points.count, by: length).map { start in
            PathSegment(
                segment: segments.lowerBound + start / length, mode: path.mode,
                points: Array(points[start..<min(start + length, points.count)]))
        }
    }
}

extension PathRow {
    /// Returns the number of points of the path; for one that is still growing, the tracker knows
    /// it.
    fileprivate func length(of person: Person) -> Int {
        if let count { return count }
        guard let path = person.tracker.path, path.number == number else { return 0 }
        return path.count
    }

    /// Returns the newest segments; nil if there are none.
    func retainedSegments(of person: Person) -> ClosedRange<Int>? {
        let last = (length(of: person) + Path.segmentLength - 1) / Path.segmentLength
        return last > 0 ? max(1, last - Path.retainedSegments + 1)...last : nil
    }
}
