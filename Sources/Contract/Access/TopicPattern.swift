/// A topic of the contract with places for names: `{root}/groups/{group}/alerts`.
public struct TopicPattern: Sendable, CustomStringConvertible {
    enum Level: Hashable, Sendable {
        case literal(String)
        case user
        case device
        /// As phones write it, capitals and all.
        case ownTracksDevice
        /// `@{member}`
        case member
        case group
        case client
        /// A segment of a path, counted from 1.
        case number
        /// One level of any text.
        case any
        /// Any number of levels, none as well; the last one of a pattern.
        case rest
    }

    public let description: String
    let levels: [Level]

    /// - Parameter text: `{root}` stands for the root of the installation.
    init(_ text: String, root: [Substring]) {
        description = text
        levels = TopicLevels(text).levels.flatMap { level -> [Level] in
            switch level {
            case "{root}": root.map { .literal(String($0)) }
            case "{user}": [.user]
            case "{device}": [.device]
            case "{phone}": [.ownTracksDevice]
            case "@{member}": [.member]
            case "{group}": [.group]
            case "{clientId}": [.client]
            case "{n}": [.number]
            case "[…]": [.rest]
            case _ where level.utf8.first == UInt8(ascii: "{"): [.any]
            default: [.literal(String(level))]
            }
        }
    }

    /// What the bridge subscribes to, to hear all of it. What lies outside the root is heard
    /// whole: the apps have suffixes that nobody here knows.
    var filter: String {
        if levels.first == .literal(TopicSpace.ownTracksRoot) {
            return "\(TopicSpace.ownTracksRoot)/#"
        }
        return everyLevel
    }

    /// The filter that matches all of it, level by level.
    var everyLevel: String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .rest: "#"
            default: "+"
            }
        }.joined(separator: "/")
    }

    /// The places for names, from left to right.
    var names: [Level] {
        levels.filter { if case .literal = $0 { false } else { true } }
    }

    /// What stands between the names when it is printed: one piece more than there are names.
    var pieces: [String] {
        var pieces = [""]
        for (index, level) in levels.enumerated() {
            // What follows the last one brings its own slash, if there is anything.
            if index > 0, level != .rest { pieces[pieces.count - 1] += "/" }
            switch level {
            case .literal(let text): pieces[pieces.count - 1] += text
            case .member:
                pieces[pieces.count - 1] += "@"
                pieces.append("")
            default: pieces.append("")
            }
        }
        return pieces
    }

    /// The names found in a filter; nil where it has none, or a wildcard.
    struct Bindings: Hashable, Sendable {
        var user: Name?
        var device: Name?
        /// Of whom it tells another.
        var member: Name?
        var group: GroupKey?
        var client: ClientID?
    }

    /// - Parameter levels: of a filter.
    /// - Returns: nil where no topic of this pattern is meant.
    func match(_ levels: [Substring]) -> Bindings? {
        var bindings = Bindings()
        var index = 0
        for level in self.levels {
            if level == .rest { return bindings }
            guard index < levels.count else { return nil }
            let text = levels[index]
            if text == "#" { return bindings }
            if text != "+", !level.take(text, &bindings) { return nil }
            index += 1
        }
        // `a/#` means `a` as well.
        return index == levels.count || levels[index] == "#" ? bindings : nil
    }
}

extension TopicPattern.Level {
    /// - Returns: whether the text can stand here.
    fileprivate func take(_ text: Substring, _ bindings: inout TopicPattern.Bindings) -> Bool {
        switch self {
        case .literal(let literal): return literal.utf8.elementsEqual(text.utf8)
        case .user:
            bindings.user = Name(text)
            return bindings.user != nil
        case .device:
            bindings.device = Name(text)
            return bindings.device != nil
        case .ownTracksDevice:
            bindings.device = TopicSpace.ownTracksDevice(text)
            return bindings.device != nil
        case .member:
            guard text.utf8.first == UInt8(ascii: "@") else { return false }
            bindings.member = Name(text.dropFirst())
            return bindings.member != nil
        case .group:
            bindings.group = GroupKey(text)
            return bindings.group != nil
        case .client:
            bindings.client = ClientID(text)
            return bindings.client != nil
        case .number: return TopicSpace.segment(text) != nil
        case .any: return !text.isEmpty
        case .rest: return true
        }
    }
}

/// The levels of a topic or a filter, as the broker sees them: between `/`, byte by byte.
struct TopicLevels {
    let levels: [Substring]

    init(_ text: String) {
        var reader = LevelReader(text)
        var levels: [Substring] = []
        levels.reserveCapacity(8)
        while let level = reader.next() { levels.append(level) }
        self.levels = levels
    }
}
