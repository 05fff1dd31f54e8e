/// Every topic of the contract (section 3) that this version serves.
public enum Topic: Hashable, Sendable {
    case fix(Name, device: Name)
    case status(Name, device: Name)
    case request(Name, device: Name, method: String)
    /// `suffix` is what a client put below `…/replies`, with its slash, or empty.
    case replies(Name, device: Name, suffix: String)
    case rejected(Name, device: Name)
    case stored(Name, device: Name)
    case userGroups(Name)
    case notices(Name)
    case location(Name)

    case group(GroupKey)
    case member(GroupKey, Name)
    case path(GroupKey, Name, segment: Int)
    case alerts(GroupKey)
    case chat(GroupKey)

    case guestRequest(ClientID, method: String)
    /// `suffix` as in ``replies``.
    case guestReplies(ClientID, suffix: String)

    case systemStatus
    /// Who is connected, from the gate to the bridge.
    case connections
    case metric(String)

    /// What a phone publishes; `suffix` is `event`, `waypoint` and so on, or empty.
    case ownTracks(Name, device: Name, suffix: String)
    /// What a phone is shown of a member; `suffix` is `info`, `event` or empty.
    case ownTracksMember(viewer: Name, Name, suffix: String)
}

/// The topics of one installation: everything that is Kith's lies below a root that clients are
/// told; what OwnTracks phones publish lies where these apps put it.
public struct TopicSpace: Hashable, Sendable {
    /// Without a slash at its end.
    public let root: String
    let levels: [Substring]

    public static let ownTracksRoot = "owntracks"

    public init(root: String = "kith") {
        self.root = root
        self.levels = TopicLevels(root).levels
    }

    /// Nil for a root below which topics could not lie: ``rule``.
    public init?(checking root: String) {
        self.init(root: root)
        let isPlain = root.unicodeScalars.allSatisfy {
            !"+#$".unicodeScalars.contains($0) && !$0.properties.isWhitespace
                && $0.properties.generalCategory != .control
        }
        guard isPlain, root.utf8.count <= TopicSpace.maximumRoot,
            levels.count <= TopicSpace.maximumRootLevels, levels.allSatisfy({ !$0.isEmpty }),
            levels.first != Substring(TopicSpace.ownTracksRoot)
        else { return nil }
    }

    /// What a root must be, for whoever configures it.
    public static let rule =
        "must be a topic such as kith or home/kith: without +, # and $, white space and empty "
        + "levels, not below \(ownTracksRoot), at most \(maximumRoot) bytes and "
        + "\(maximumRootLevels) levels"

    public static let maximumRoot = 64
    public static let maximumRootLevels = 8

    /// What the bridge subscribes to: everything that others may publish.
    public var inputs: [String] { requestInputs + streamInputs }

    /// What somebody waits for an answer to.
    public var requestInputs: [String] {
        ["\(root)/users/+/devices/+/requests/+", "\(root)/guests/+/requests/+"]
    }

    /// What comes in numbers.
    public var streamInputs: [String] {
        ["fix", "vitals", "status"].map { "\(root)/users/+/devices/+/\($0)" } + [
            "\(TopicSpace.ownTracksRoot)/#", string(.connections),
        ]
    }

    /// Where the bridge speaks to itself, to know that it has heard everything before.
    public var marker: String { "\(root)/bridge/marker" }

    /// Where the bridge's own retained messages lie.
    public var retainedOutputs: [String] {
        [
            "\(root)/users/+/groups", "\(root)/users/+/location",
            "\(root)/groups/+", "\(root)/groups/+/members/#",
            "\(TopicSpace.ownTracksRoot)/+/+", "\(TopicSpace.ownTracksRoot)/+/+/info",
        ]
    }
}
