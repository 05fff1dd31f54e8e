public import Tracking

/// A topic of the contract with placeholders for names: `{root}/groups/{group}/alerts`.
public struct TopicPattern: Sendable, CustomStringConvertible {
    enum Level: Hashable, Sendable {
        case literal(String)
        case user
        case device
        /// As phones write it, including capitals.
        case ownTracksDevice
        /// `@{member}`
        case member
        case group
        case client
        /// A link that shows where a user is.
        case share
        case service
        /// A service's subscription to a cohort.
        case cohort
        /// A call for help, for dispatch.
        case incident
        case run
        /// A place of the organisation.
        case place
        /// A runner's number.
        case bib
        /// The number of a part of data that is too long for one message, from 2.
        case page
        /// The number of a path's segment, counted from 1.
        case number
        /// One level with any text.
        case any
        /// Any number of levels, including none; only at the end of a pattern.
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
            case "{share}": [.share]
            case "{service}": [.service]
            case "{cohort}": [.cohort]
            case "{incident}": [.incident]
            case "{run}": [.run]
            case "{place}": [.place]
            case "{bib}": [.bib]
            case "{page}": [.page]
            case "{n}": [.number]
            case "[…]": [.rest]
            case _ where level.utf8.first == UInt8(ascii: "{"): [.any]
            default: [.literal(String(level))]
            }
        }
    }

    /// The filter by which the bridge subscribes to all such topics. A branch outside the root is
    /// subscribed to as a whole, as the apps have suffixes that Kith does not know.
    var filter: String {
        if levels.first == .literal(TopicSpace.ownTracksRoot) {
            return "\(TopicSpace.ownTracksRoot)/#"
        }
        return everyLevel
    }

    /// The filter that matches all such topics, level by level.
    var everyLevel: String {
        levels.map { level in
            switch level {
            case .literal(let text): text
            case .rest: "#"
            default: "+"
            }
        }.joined(separator: "/")
    }

    /// The placeholders for names, from left to right.
    var names: [Level] {
        levels.filter { if case .literal = $0 { false } else { true } }
    }

    /// The text between a printed topic's names: one piece more than names.
    var pieces: [String] {
        var pieces = [""]
        for (index, level) in levels.enumerated() {
            // The rest brings its own slash, if there is a rest.
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

    /// The names in a topic or a filter; nil if the pattern has no such name, or the filter has a
    /// wildcard there.
    public struct Bindings: Hashable, Sendable {
        public var user: Name?
        public var device: Name?
        /// The member whose position is shown to another user.
        public var member: Name?
        public var group: GroupKey?
        public var client: ClientID?
        public var share: UUIDv7?
        public var service: Name?
        public var cohort: UUIDv7?
        public var incident: UUIDv7?
        public var run: Name?
        public var place: Name?
        public var bib: Int?
        public var page: Int?

        public init(
            user: Name? = nil, device: Name? = nil, member: Name? = nil, group: GroupKey? = nil,
            client: ClientID? = nil, share: UUIDv7? = nil, service: Name? = nil,
            cohort: UUIDv7? = nil, incident: UUIDv7? = nil, run: Name? = nil,
            place: Name? = nil, bib: Int? = nil, page: Int? = nil
        ) {
            (self.user, self.device, self.member) = (user, device, member)
            (self.group, self.client, self.share) = (group, client, share)
            (self.service, self.cohort, self.incident) = (service, cohort, incident)
            (self.run, self.place, self.bib, self.page) = (run, place, bib, page)
        }

        /// Nil for a level without such a name.
        func text(of level: Level) -> String? {
            switch level {
            case .user: user?.text
            case .device: device?.text
            case .member: member?.text
            case .group: group?.text
            case .client: client?.text
            case .share: share?.description
            case .service: service?.text
            case .cohort: cohort?.description
            case .incident: incident?.description
            case .run: run?.text
            case .place: place?.text
            case .bib: bib.map { String($0) }
            case .page: page.map { String($0) }
            case .literal, .ownTracksDevice, .number, .any, .rest: nil
            }
        }
    }

    /// Whether a topic's ``Bindings`` determine it completely.
    var isBoundByNames: Bool {
        let bound: [Level] = [
            .user, .device, .member, .group, .client, .share, .service, .cohort, .incident,
            .run, .place, .bib, .page,
        ]
        return Set(names).count == names.count && names.allSatisfy { bound.contains($0) }
    }

    /// - Parameter levels: the levels of a filter.
    /// - Returns: nil if the filter matches no topic of this pattern.
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
        // `a/#` also matches `a`.
        return index == levels.count || levels[index] == "#" ? bindings : nil
    }
}

extension TopicPattern.Level {
    /// - Returns: whether the text is valid at this level.
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
        case .share:
            bindings.share = UUIDv7(printed: text)
            return bindings.share != nil
        case .cohort:
            bindings.cohort = UUIDv7(printed: text)
            return bindings.cohort != nil
        case .incident:
            bindings.incident = UUIDv7(printed: text)
            return bindings.incident != nil
        case .service:
            bindings.service = Name(text)
            return bindings.service != nil
        case .run:
            bindings.run = Name(text)
            return bindings.run != nil
        case .place:
            bindings.place = Name(text)
            return bindings.place != nil
        case .bib:
            bindings.bib = TopicSpace.segment(text)
            return bindings.bib != nil
        case .page:
            bindings.page = TopicSpace.segment(text)
            return bindings.page ?? 0 > 1
        case .number: return TopicSpace.segment(text) != nil
        case .any: return !text.isEmpty
        case .rest: return true
        }
    }
}

extension UUIDv7 {
    /// Reads an id in its canonical spelling.
    fileprivate init?(printed text: Substring) {
        guard let id = UUIDv7(String(text)), id.description.utf8.elementsEqual(text.utf8) else {
            return nil
        }
        self = id
    }
}

/// The levels of a topic or a filter, as the broker separates them: at `/`, byte by byte.
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
