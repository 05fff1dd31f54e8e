import Contract
import Store
import Tracking

/// The messages that the broker should retain on the bridge's topics, derived from memory and the
/// store.
struct Retained {
    private let memory: Memory
    private let settings: BridgeSettings
    private var topics: TopicSpace { settings.topics }

    typealias Payloads = [(topic: String, payload: [UInt8])]

    init(_ memory: Memory, _ settings: BridgeSettings) {
        self.memory = memory
        self.settings = settings
    }

    /// Returns the payloads for a group, apart from its members' paths.
    func payloads(of id: GroupID) -> Payloads {
        guard let group = memory.groups[id] else { return [] }
        return Areas.types.flatMap { $0.retained(in: group, memory, settings.rules) }
            .map { (topics.string($0.topic), $0.payload) }
    }

    /// Returns the payloads for a user, apart from those that the user's groups see.
    func payloads(of id: UserID) -> Payloads {
        guard let person = memory.people[id] else { return [] }
        return Areas.types.flatMap { $0.retained(for: person, memory) }
            .map { (topics.string($0.topic), $0.payload) }
    }

    /// Returns the topics with retained messages that belong to no user or group.
    func topicsOfNobody() -> [Topic] { Areas.types.flatMap { $0.retainedOfNobody(memory) } }

    func payload(ofNobody topic: Topic) -> (topic: String, payload: [UInt8])? {
        Areas.types.lazy.compactMap { $0.payload(on: topic, memory) }.first
            .map { (topics.string(topic), $0) }
    }

    /// Returns the empty group list that a user without groups was sent, for apps that were offline
    /// then; nil for other users.
    func emptyGroups(of id: UserID) -> (topic: String, payload: [UInt8])? {
        guard let person = memory.people[id], person.memberships.isEmpty else { return nil }
        return (
            topics.string(.userGroups(person.name)), UserGroupsMessage(groups: []).payload
        )
    }

    func paths(of user: UserID, in group: GroupID, _ transaction: Transaction) throws -> Payloads {
        guard let group = memory.groups[group], let person = memory.people[user],
            let path = try transaction.visiblePath(of: user, to: group.id)
        else { return [] }
        let mode = person.mode(of: path.mode, path.number, in: group)
        return try transaction.lastSegments(of: path, of: person, as: mode).map { segment in
            let topic = Topic.path(group.key, person.name, segment: segment.segment)
            return (topics.string(topic), segment.payload)
        }
    }

    /// Returns whether the topic should have a retained message.
    func expects(_ topic: String) -> Bool {
        guard let topic = topics.parse(topic) else { return false }
        return Areas.types.lazy.compactMap { $0.expects(topic, memory) }.first ?? false
    }
}
