/// The topics on Home Assistant's broker.
public struct ExporterTopics: Sendable {
    /// Home Assistant's `discovery_prefix`.
    let discovery: String
    /// The level that distinguishes the group's entities from others'.
    let node: String
    private let base: String

    public init(discovery: String, group: String) {
        self.discovery = discovery
        node = "kith_\(group)"
        base = "kith-home/\(group)"
    }

    /// The topic of this program's availability: `online`, `offline`.
    public var availability: String { "\(base)/status" }

    /// The filters of this program's earlier retained messages.
    public var earlier: [String] { ["\(discovery)/+/\(node)/+/config", "\(base)/#"] }

    func configuration(_ entity: Entity, of user: String) -> String {
        "\(discovery)/\(entity.component)/\(node)/\(user)_\(entity.rawValue)/config"
    }

    func state(_ entity: Entity, of user: String) -> String {
        "\(base)/members/\(user)/\(entity.rawValue)"
    }

    /// Returns the user that a topic is about; nil if it is not one of these.
    func user(of topic: String) -> String? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        if topic.hasPrefix("\(base)/members/"), levels.count == 5 { return String(levels[3]) }
        guard topic.hasPrefix("\(discovery)/"), levels.count >= 5, levels.last == "config",
            levels[levels.count - 3] == node
        else { return nil }
        let object = levels[levels.count - 2]
        guard let place = object.lastIndex(of: "_") else { return nil }
        return String(object[..<place])
    }
}
