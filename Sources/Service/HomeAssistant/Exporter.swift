internal import JSON

/// The export of a group to Home Assistant: the input is the messages that an observer of the group
/// receives, the output those to be retained on Home Assistant's broker.
public struct Exporter: Sendable {
    public let topics: ExporterTopics
    private let version: String
    /// `kith/groups/{group}`
    private let source: String
    /// The members that Home Assistant knows, by name.
    private var members: [String: Member] = [:]
    /// Users whom Home Assistant may still know from earlier, and who have not been seen yet.
    private var strangers: Set<String> = []
    /// The members of the group; nil while unknown.
    private var listed: Set<String>?

    struct Member: Hashable, Sendable {
        let user: String
        var name: String
    }

    /// - Parameters:
    ///   - source: the group's topic on Kith's broker.
    ///   - version: this program's version.
    public init(_ topics: ExporterTopics, source: String, version: String) {
        (self.topics, self.source, self.version) = (topics, source, version)
    }

    /// Makes an exporter with the same settings, without any state.
    init(_ other: Exporter) {
        self.init(other.topics, source: other.source, version: other.version)
    }

    /// The filters on Kith's broker.
    public var filters: [String] { [source, "\(source)/members/+"] }

    /// - Parameter topic: on Kith's broker.
    public mutating func take(_ topic: String, _ payload: [UInt8]) -> [ExporterMessage] {
        if topic == source { return take(group: payload) }
        let prefix = "\(source)/members/"
        guard topic.hasPrefix(prefix) else { return [] }
        let user = String(topic.dropFirst(prefix.count))
        guard !user.contains("/") else { return [] }
        if payload.isEmpty { return withdraw(user) }
        guard let state = JSONValue(parsing: payload), let name = state["name"]?.text else {
            return []
        }
        return show(Member(user: user, name: name)) + states(of: user, state)
    }

    /// Records a message retained on Home Assistant's broker from earlier.
    public mutating func note(earlier topic: String) -> [ExporterMessage] {
        guard let user = topics.user(of: topic), members[user] == nil else { return [] }
        strangers.insert(user)
        guard let listed, !listed.contains(user) else { return [] }
        return withdraw(user)
    }

    /// Withdraws everything, as the observer has ended.
    public mutating func withdrawAll() -> [ExporterMessage] {
        strangers.union(members.keys).sorted().flatMap { withdraw($0) }
    }

    private mutating func take(group payload: [UInt8]) -> [ExporterMessage] {
        guard let group = JSONValue(parsing: payload) else {
            // The group is gone.
            return payload.isEmpty ? withdrawAll() : []
        }
        let users = Set(group["members"]?.elements.compactMap { $0["user"]?.text } ?? [])
        listed = users
        return strangers.union(members.keys).subtracting(users).sorted().flatMap { withdraw($0) }
    }

    private mutating func show(_ member: Member) -> [ExporterMessage] {
        guard members[member.user] != member else { return [] }
        members[member.user] = member
        strangers.remove(member.user)
        return Entity.allCases.map { entity in
            ExporterMessage(
                topics.configuration(entity, of: member.user),
                entity.configuration(of: member, topics, version: version))
        }
    }

    private mutating func withdraw(_ user: String) -> [ExporterMessage] {
        members[user] = nil
        strangers.remove(user)
        return Entity.allCases.flatMap { entity in
            [
                ExporterMessage(topics.configuration(entity, of: user), []),
                ExporterMessage(topics.state(entity, of: user), []),
            ]
        }
    }

    // MARK: States

    private func states(of user: String, _ state: JSONValue) -> [ExporterMessage] {
        let warnings = Set(state["warnings"]?.elements.compactMap(\.text) ?? [])
        return Entity.allCases.map { entity in
            let topic = topics.state(entity, of: user)
            return switch entity {
            case .position: ExporterMessage(topic, Exporter.attributes(state))
            case .sos: ExporterMessage(topic, state["state"]?.text == "sos" ? "ON" : "OFF")
            case .late, .stuck, .silent, .offline:
                ExporterMessage(topic, warnings.contains(entity.rawValue) ? "ON" : "OFF")
            // For Home Assistant `None` means unknown.
            case .eta: ExporterMessage(topic, state["journey"]?["eta"]?.text ?? "None")
            }
        }
    }

    /// Returns the attributes, with `null` for a position that is not shown, so that the last one
    /// is no longer shown.
    private static func attributes(_ state: JSONValue) -> [UInt8] {
        let fix = state["fix"] ?? .null
        let members: [(String, JSONValue?)] = [
            ("latitude", fix["latitude"] ?? .null), ("longitude", fix["longitude"] ?? .null),
            ("gps_accuracy", fix["accuracy"]), ("battery_level", fix["battery"]),
            ("position_at", fix["timestamp"]), ("state", state["state"]),
            ("online", state["online"]), ("precision", state["precision"]),
            ("destination", state["journey"]?["destination"]?["name"]),
        ]
        var json = JSONWriter()
        json.value(
            .object(members.compactMap { name, value in value.map { .init(key: name, value: $0) } })
        )
        return json.bytes
    }
}
