/// Decides who may publish, receive and subscribe, from the topic table (``TopicRow``) and the
/// current facts.
public struct AccessPolicy: Sendable {
    /// The maximum age of the gate's view of the database. Messages that follow a rights change are
    /// delayed by this time, so that no one receives them by virtue of ended rights.
    public static let freshness = Duration.milliseconds(1)

    private let topics: TopicSpace
    /// The kinds by the level after the root.
    private let kindsByBranch: [Substring: [Topic.Kind]]
    /// The kinds that a wildcard at the beginning of a filter may match: all but the broker's own
    /// (MQTT 5, 4.7.2).
    private let kindsForWildcards: [Topic.Kind]
    private var rootLevels: Int { topics.levels.count }

    public init(_ topics: TopicSpace = TopicSpace()) {
        self.topics = topics
        let kinds = TopicRow.all.map(\.kind)
        kindsForWildcards = kinds.filter { $0 != .parsed(.brokerFigure) }
        kindsByBranch = Dictionary(grouping: kinds) {
            AccessPolicy.branch(topics.patterns.pattern(of: $0), topics.levels.count)
        }
    }

    func row(of match: TopicMatch) -> TopicRow { topics.patterns.row(of: match.kind) }

    private static func branch(_ pattern: TopicPattern, _ rootLevels: Int) -> Substring {
        if case .literal(let first) = pattern.levels.first, isOutsideRoot(Substring(first)) {
            return Substring(first)
        }
        guard case .literal(let branch) = pattern.levels[rootLevels] else {
            preconditionFailure("every pattern names its branch")
        }
        return Substring(branch)
    }

    private static let brokersOwn = "$SYS"

    /// Whether topics that begin with this level are in a branch outside the root.
    private static func isOutsideRoot(_ level: Substring) -> Bool {
        level == TopicSpace.ownTracksRoot || level == brokersOwn
    }

    /// The kinds that a filter may match: those of its branch of the topic tree, if it names one.
    private func kinds(of levels: [Substring]) -> [Topic.Kind] {
        if isBroad(levels) { return kindsForWildcards }
        let isOutside = AccessPolicy.isOutsideRoot(levels[0])
        guard isOutside || levels.count > rootLevels else { return [] }
        return kindsByBranch[isOutside ? levels[0] : levels[rootLevels]] ?? []
    }

    /// Whether a wildcard replaces the branch or a level above it.
    private func isBroad(_ levels: some Collection<Substring>) -> Bool {
        let isOutside = levels.first.map(AccessPolicy.isOutsideRoot) ?? false
        return levels.prefix(isOutside ? 1 : rootLevels + 1).contains { $0 == "+" || $0 == "#" }
    }

    // MARK: Topics

    /// A topic's row in the table and the names in the topic: looked up once, then checked against
    /// many principals.
    public struct TopicMatch: Hashable, Sendable {
        let kind: Topic.Kind
        let names: TopicPattern.Bindings
    }

    /// - Returns: nil if the topic is not part of the contract, where nothing is permitted.
    public func match(of topic: String) -> TopicMatch? {
        topics.parse(topic).map { TopicMatch(kind: $0.kind, names: $0.bindings) }
    }

    public func mayReceive(_ match: TopicMatch, _ principal: Principal, _ facts: AccessFacts)
        -> Bool
    {
        row(of: match).readers.contains {
            AccessPolicy.includes($0, principal, match.names, facts)
        }
    }

    /// - Parameter retained: whether the message has the retain flag.
    public func mayPublish(
        _ match: TopicMatch, retained: Bool, _ principal: Principal, _ facts: AccessFacts
    ) -> Bool {
        let row = row(of: match)
        return (retained ? row.retainers : row.writers).contains {
            AccessPolicy.includes($0, principal, match.names, facts)
        }
    }

    /// Whether a message there may report a change of the group's members: the member list, or
    /// one-time messages to the group, such as that a member has left; or the end of a service's
    /// right.
    public func mayFollowRemoval(_ match: TopicMatch) -> Bool {
        match.names.group != nil
            && (row(of: match).retainers.isEmpty || match.kind == .parsed(.group))
            || sharer(at: match) != nil
    }

    /// The user whose agreement decides whether a service receives messages published there.
    public func sharer(at match: TopicMatch) -> Name? {
        row(of: match).readers.contains(.subscribedService) ? match.names.user : nil
    }

    /// Whether it is the service's report on itself, which is needed most when the rights cannot be
    /// read.
    public func isReport(_ match: TopicMatch) -> Bool {
        match.kind == .parsed(.systemStatus) || match.kind == .parsed(.metric)
    }

    /// The lane on which the bridge receives messages published there; nil if it does not.
    public func lane(of match: TopicMatch) -> TopicRow.Lane? { row(of: match).lane }

    /// The lane whose barriers the bridge returns there; nil for other topics.
    public func committedLane(_ match: TopicMatch) -> TopicRow.Lane? {
        TopicRow.Lane.byCommittedKind[match.kind]
    }

    /// Whether the bridge asks there for a change of rights.
    public func isRightsCheck(_ match: TopicMatch) -> Bool {
        match.kind == .listed(.rightsCheck)
    }

    /// Whether messages there are encrypted for the bridge before the broker keeps them: vital
    /// signs, and requests that carry a secret.
    ///
    /// - Parameter topic: the topic of the match.
    public func isSealed(_ match: TopicMatch, _ topic: String) -> Bool {
        switch match.kind {
        case .parsed(.request), .parsed(.guestRequest), .parsed(.operatorRequest):
            let method = topic.utf8.lastIndex(of: UInt8(ascii: "/")).flatMap {
                Method.named(String(topic[topic.utf8.index(after: $0)...]))
            }
            return method?.hasPassword ?? false
        default: return row(of: match).isSealed
        }
    }

    /// Whether this is the topic on which the device sends its requests.
    public func isOwnRequest(_ match: TopicMatch, _ principal: Principal) -> Bool {
        isOwn(match, .parsed(.request), principal)
    }

    /// Whether this is a topic on which the device reports samples, or arrays of them.
    public func isOwnSample(_ match: TopicMatch, _ principal: Principal) -> Bool {
        isOwn(match, .parsed(.fix), principal) || isOwn(match, .listed(.vitals), principal)
    }

    private func isOwn(_ match: TopicMatch, _ kind: Topic.Kind, _ principal: Principal) -> Bool {
        guard match.kind == kind, case .device(let device, let user) = principal else {
            return false
        }
        return match.names.user == user && match.names.device == device
    }

    // MARK: Filters

    /// Whether everything that the filter matches may be received; a wildcard in place of the
    /// owner's name matches all owners' topics. Of the topics that begin with `$`, only the
    /// broker's figures are available; shared subscriptions are refused.
    public func maySubscribe(
        to filter: String, _ principal: Principal, _ facts: AccessFacts
    ) -> Bool {
        guard filter.utf8.count <= TopicSpace.maximumLength else { return false }
        let levels = TopicLevels(filter).levels
        guard levels[0].utf8.first != UInt8(ascii: "$") || levels[0] == AccessPolicy.brokersOwn
        else { return false }
        var isAnythingMeant = false
        for kind in kinds(of: levels) {
            guard let names = topics.patterns.pattern(of: kind).match(levels) else { continue }
            isAnythingMeant = true
            let isReader = topics.patterns.row(of: kind).readers.contains { reader in
                // A service's access is decided with each delivery.
                let party = reader == .subscribedService ? .thatService : reader
                return AccessPolicy.includes(party, principal, names, facts)
            }
            guard isReader else { return false }
        }
        return isAnythingMeant
    }

    /// The sources of the messages delivered by a granted filter, as far as the right to receive
    /// from them can end.
    public func sources(in filter: String) -> AccessSources {
        let levels = TopicLevels(filter).levels
        var sources = AccessSources()
        for kind in kinds(of: levels) {
            guard let names = topics.patterns.pattern(of: kind).match(levels) else { continue }
            if let group = names.group { sources.groups.insert(group) }
            let readers = topics.patterns.row(of: kind).readers
            if readers.contains(.friendsInSight), let user = names.user {
                sources.friends.insert(user)
            }
        }
        return sources
    }

    /// Whether a granted filter delivers alerts.
    public func meansAlerts(_ filter: String) -> Bool {
        let levels = TopicLevels(filter).levels
        return kinds(of: levels).contains(.parsed(.alerts))
            && topics.patterns.pattern(of: .parsed(.alerts)).match(levels) != nil
    }

    /// Whether a filter matches topics of all branches, so that there is more to check than usual.
    /// A filter that is too long is refused unread, without comparing its levels.
    public func meansAllAreas(_ filter: String) -> Bool {
        guard filter.utf8.count <= TopicSpace.maximumLength else { return false }
        var reader = LevelReader(filter)
        var levels: [Substring] = []
        while levels.count <= rootLevels, let level = reader.next() { levels.append(level) }
        return isBroad(levels)
    }

    // MARK: Parties

    private static func includes(
        _ party: TopicRow.Party, _ principal: Principal, _ names: TopicPattern.Bindings,
        _ facts: AccessFacts
    ) -> Bool {
        switch (party, principal) {
        case (.bridge, .system(.bridge)), (.operator, .system(.operator)),
            (.dispatch, .system(.dispatch)), (.metrics, .system(.metrics)):
            true
        case (.thatDevice, .device(let device, let user)):
            names.user == user && names.device == device
        case (.thatUser, .device(_, let user)): names.user == user
        case (.friendsInSight, .device):
            names.user.map { facts.friendsInSight.contains($0) } ?? false
        case (.members, .device):
            names.group.map { facts.groups.contains($0) } ?? false
        case (.observers, .bearer(let grant)):
            grant.kind == .observer && names.group.map { facts.groups.contains($0) } ?? false
        case (.viewers, .bearer(let grant)): grant.kind == .share && names.share == grant.id
        case (.anyone, _): names.run != nil
        case (.anyUser, .device): names.place != nil
        case (.thatGuest, .guest(let client)): names.client == client
        case (.thatService, .service(let service)): names.service == service
        case (.subscribedService, .service(let service)):
            names.service == service
                && names.user.map { facts.subscribedUsers.contains($0) } ?? false
        default: false
        }
    }
}
