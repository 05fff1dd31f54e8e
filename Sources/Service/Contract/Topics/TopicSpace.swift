/// The topics of one installation: all Kith topics are below a root that clients receive; OwnTracks
/// topics are where these apps publish them.
public struct TopicSpace: Hashable, Sendable {
    /// Without a trailing slash.
    public let root: String
    let levels: [Substring]
    let patterns: TopicPatterns

    public static let ownTracksRoot = "owntracks"

    public init(root: String = "kith") {
        self.root = root
        self.levels = TopicLevels(root).levels
        patterns = TopicPatterns(root: levels)
    }

    /// Nil for a root that does not follow ``rule``.
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

    /// The rule for a root, for the person who configures it.
    public static let rule =
        "must be a topic such as kith or home/kith: without +, # and $, white space and empty "
        + "levels, not below \(ownTracksRoot), at most \(maximumRoot) bytes and "
        + "\(maximumRootLevels) levels"

    public static let maximumRoot = 64
    public static let maximumRootLevels = 8

    public static func == (left: TopicSpace, right: TopicSpace) -> Bool { left.root == right.root }
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}
