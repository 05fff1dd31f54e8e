/// Decides who may publish, receive and subscribe, by ``AccessTable`` and the facts of the moment.
public struct AccessPolicy: Sendable {
    /// So old may what the gate knows of the database be. What follows a change of rights waits
    /// for as long, so that nobody is shown it by rights that are gone.
    public static let freshness = Duration.milliseconds(1)

    public let table: AccessTable
    /// The rows by the level that follows the root.
    private let rowsByArea: [Substring: [Int]]
    /// Those that a wildcard at the beginning of a filter may mean: all but the broker's own
    /// (MQTT 5, 4.7.2).
    private let rowsForWildcards: [Int]
    private let rootLevels: Int
    /// Where devices ask for something.
    private let requests: Int?
    /// Where they say where they are, several times in one message.
    private let fixes: Int?

    public init(_ topics: TopicSpace = TopicSpace()) {
        table = AccessTable(root: topics.levels)
        rootLevels = topics.levels.count
        rowsForWildcards = table.rows.indices.filter { [rows = table.rows] in
            rows[$0].pattern.levels.first != .literal(AccessPolicy.brokersOwn)
        }
        var areas: [Substring: [Int]] = [:]
        for (index, row) in table.rows.enumerated() {
            areas[AccessPolicy.area(row.pattern, rootLevels), default: []].append(index)
        }
        rowsByArea = areas
        requests = table.rows.firstIndex {
            $0.pattern.levels.contains(.literal("requests")) && $0.writers == [.thatDevice]
        }
        fixes = table.rows.firstIndex { $0.pattern.levels.last == .literal("fix") }
    }

    private static func area(_ pattern: TopicPattern, _ rootLevels: Int) -> Substring {
        if case .literal(let first) = pattern.levels.first, isOutsideRoot(Substring(first)) {
            return Substring(first)
        }
        guard case .literal(let area) = pattern.levels[rootLevels] else {
            preconditionFailure("every pattern names its area")
        }
        return Substring(area)
    }

    private static let brokersOwn = "$SYS"

    /// Whether topics that begin so are an area beside the root.
    private static func isOutsideRoot(_ level: Substring) -> Bool {
        level == TopicSpace.ownTracksRoot || level == brokersOwn
    }

    /// The rows that a filter may mean: those of its area, where it names one.
    private func rows(of levels: [Substring]) -> [Int] {
        if isBroad(levels) { return rowsForWildcards }
        let isOutside = AccessPolicy.isOutsideRoot(levels[0])
        guard isOutside || levels.count > rootLevels else { return [] }
        return rowsByArea[isOutside ? levels[0] : levels[rootLevels]] ?? []
    }

    /// Whether a wildcard stands for the area, or for what is above it.
    private func isBroad(_ levels: some Collection<Substring>) -> Bool {
        let isOutside = levels.first.map(AccessPolicy.isOutsideRoot) ?? false
        return levels.prefix(isOutside ? 1 : rootLevels + 1).contains { $0 == "+" || $0 == "#" }
    }

    // MARK: Topics

    /// A topic's row in the table and the names in it: found once, asked for many principals.
    public struct Place: Hashable, Sendable {
        let row: Int
        let names: TopicPattern.Bindings
    }

    /// - Returns: nil for whatever is not a topic of the contract, where nobody may do anything.
    public func place(of topic: String) -> Place? {
        guard topic.utf8.count <= TopicSpace.maximumLength else { return nil }
        let levels = TopicLevels(topic).levels
        let isOutside = AccessPolicy.isOutsideRoot(levels[0])
        guard isOutside || levels.count > rootLevels else { return nil }
        let area = isOutside ? levels[0] : levels[rootLevels]
        for row in rowsByArea[area] ?? [] {
            if let names = table.rows[row].pattern.match(levels, isFilter: false) {
                return Place(row: row, names: names)
            }
        }
        return nil
    }

    public func mayReceive(_ place: Place, _ principal: Principal, _ facts: AccessFacts) -> Bool {
        table.rows[place.row].readers.contains {
            AccessPolicy.includes($0, principal, place.names, facts, isFilter: false)
        }
    }

    /// - Parameter retained: whether the message is to be kept for those who come later.
    public func mayPublish(
        _ place: Place, retained: Bool, _ principal: Principal, _ facts: AccessFacts
    ) -> Bool {
        let row = table.rows[place.row]
        return (retained ? row.retainers : row.writers).contains {
            AccessPolicy.includes($0, principal, place.names, facts, isFilter: false)
        }
    }

    /// Whether what is published there may tell of a change of the group's members: who is in the
    /// group, and what is said to it once, such as that somebody has left.
    public func mayFollowRemoval(_ place: Place) -> Bool {
        let row = table.rows[place.row]
        return place.names.group != nil
            && (row.retainers.isEmpty || row.pattern.levels.last == .group)
    }

    /// Whether it is where the device asks for something.
    public func isOwnRequest(_ place: Place, _ principal: Principal) -> Bool {
        isOwn(place, requests, principal)
    }

    /// Whether it is where the device says where it is.
    public func isOwnFix(_ place: Place, _ principal: Principal) -> Bool {
        isOwn(place, fixes, principal)
    }

    private func isOwn(_ place: Place, _ row: Int?, _ principal: Principal) -> Bool {
        guard place.row == row, case .device(let device, let user) = principal else {
            return false
        }
        return place.names.user == user && place.names.device == device
    }

    // MARK: Filters

    /// Whether everything that the filter means may be received: a wildcard where the owner is
    /// named means everybody's. Of what begins with `$` there are the broker's figures alone;
    /// shared subscriptions are refused.
    public func maySubscribe(
        to filter: String, _ principal: Principal, _ facts: AccessFacts
    ) -> Bool {
        guard filter.utf8.count <= TopicSpace.maximumLength else { return false }
        let levels = TopicLevels(filter).levels
        guard levels[0].utf8.first != UInt8(ascii: "$") || levels[0] == AccessPolicy.brokersOwn
        else { return false }
        var isAnythingMeant = false
        for index in rows(of: levels) {
            let row = table.rows[index]
            guard let names = row.pattern.match(levels, isFilter: true) else { continue }
            isAnythingMeant = true
            let isReader = row.readers.contains {
                AccessPolicy.includes($0, principal, names, facts, isFilter: true)
            }
            guard isReader else { return false }
        }
        return isAnythingMeant
    }

    /// Whose messages a filter that was granted brings, so far as the right to them can end.
    public func sources(in filter: String) -> AccessSources {
        let levels = TopicLevels(filter).levels
        var sources = AccessSources()
        for index in rows(of: levels) {
            let row = table.rows[index]
            guard let names = row.pattern.match(levels, isFilter: true) else { continue }
            if let group = names.group { sources.groups.insert(group) }
            if row.readers.contains(.friendsInSight), let user = names.user {
                sources.friends.insert(user)
            }
        }
        return sources
    }

    /// Whether a filter stands for topics of all areas: there is more to look at than usual.
    public func meansAllAreas(_ filter: String) -> Bool {
        var reader = LevelReader(filter)
        var levels: [Substring] = []
        while levels.count <= rootLevels, let level = reader.next() { levels.append(level) }
        return isBroad(levels)
    }

    // MARK: Parties

    private static func includes(
        _ party: AccessTable.Party, _ principal: Principal, _ names: TopicPattern.Bindings,
        _ facts: AccessFacts, isFilter: Bool
    ) -> Bool {
        switch (party, principal) {
        case (.anyone, _): true
        case (.bridge, .system(.bridge)), (.operator, .system(.operator)),
            (.dispatch, .system(.dispatch)):
            true
        case (.thatDevice, .device(let device, let user)):
            names.user == user && names.device == device
        case (.thatUser, .device(_, let user)): names.user == user
        case (.anyUser, .device): true
        case (.friendsInSight, .device):
            names.user.map { facts.friendsInSight.contains($0) } ?? false
        case (.members, .device):
            names.group.map { facts.groups.contains($0) } ?? false
        case (.thatGuest, .guest(let client)): names.client == client
        case (.thatService, .service(let service)): names.service == service
        case (.thatServiceByConsent, .service(let service)):
            // The service is the owner; of whom samples come is looked at with each of them.
            names.service == service
                && (names.user.map { facts.consenting.contains($0) } ?? isFilter)
        default: false
        }
    }
}
