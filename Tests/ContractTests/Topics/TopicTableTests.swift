import Contract
import Foundation
import Testing
import Tracking

/// Rules for every row of the topic table, including future ones.
struct TopicTableTests {
    static let kinds = TopicRow.all.map(\.kind)

    /// A topic that fits the row, with the names of these tests.
    private func text(_ row: TopicRow, _ root: String) -> String {
        row.pattern.split(separator: "/").map { level in
            switch level {
            case "{root}": root
            case "{user}": "ann"
            case "{device}", "{phone}": "phone"
            case "@{member}": "@bob"
            case "{group}": GroupKey.family.text
            case "{clientId}": "a guest"
            case "{share}", "{cohort}", "{incident}": TopicTableTests.share
            case "{service}": "myheart"
            case "{n}", "{bib}", "{page}": "12"
            case "[…]": "a/b"
            case _ where level.hasPrefix("{"): "info"
            default: String(level)
            }
        }.joined(separator: "/")
    }

    private static let share = "01890000-0000-7000-8000-000000000001"

    private func example(_ kind: Topic.Kind, _ root: String = "kith") throws -> Topic {
        let text = text(try row(kind), root)
        let topic = try #require(
            TopicSpace(root: root).parse(text), "TopicSpace.parse does not read \(text).")
        #expect(topic.kind == kind, "TopicSpace.parse takes \(text) for \(topic.kind).")
        return topic
    }

    private func row(_ kind: Topic.Kind) throws -> TopicRow {
        try #require(
            TopicRow.all.first { $0.kind == kind },
            "Add a row of the kind \(kind) to TopicRow.all.")
    }

    @Test func `Every topic kind has exactly one row`() {
        for kind in Topic.ParsedKind.allCases {
            #expect(TopicRow.all.contains { $0.kind == .parsed(kind) }, "\(kind) has no row.")
        }
        #expect(Set(TopicRow.all.map(\.kind)).count == TopicRow.all.count)
        #expect(Set(TopicRow.all.map { "\($0.kind)" }).count == TopicRow.all.count)
        #expect(Set(TopicRow.all.map(\.pattern)).count == TopicRow.all.count)
    }

    // MARK: Printing and parsing

    @Test(arguments: kinds, ["kith", "a/b/c"])
    func `A matching topic is parsed as the row's kind and printed unchanged`(
        _ kind: Topic.Kind, _ root: String
    ) throws {
        let topic = try example(kind, root)
        #expect(TopicSpace(root: root).string(topic) == text(try row(kind), root))
    }

    private func split(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// Texts that differ in one level: longer, shorter, misspelt or empty there.
    private func neighbours(of text: String) -> [String] {
        let levels = split(text)
        var neighbours = [text + "/", text + "/x"]
        for index in levels.indices {
            for other in [nil, "", levels[index] + "\u{301}", levels[index].uppercased() + "!"] {
                var changed = levels
                changed.replaceSubrange(index...index, with: other.map { [$0] } ?? [])
                neighbours.append(changed.joined(separator: "/"))
            }
        }
        return neighbours
    }

    @Test(arguments: kinds)
    func `A similar topic is not mistaken for it`(_ kind: Topic.Kind) throws {
        let space = TopicSpace()
        let topic = try example(kind)
        for text in neighbours(of: space.string(topic)) where !text.isEmpty {
            let found = space.parse(text)
            #expect(found != topic, "\(text)")
            // Text that is still a topic is printed unchanged.
            if let found { #expect(space.string(found) == text) }
        }
    }

    // MARK: Access rights

    private static let policy = AccessPolicy()

    /// The principals that have rights in the examples.
    private static let insiders: [TopicRow.Party: Principal] = {
        var insiders: [TopicRow.Party: Principal] = [
            .thatDevice: .device(.phone, of: .ann), .thatUser: .device(.named("tablet"), of: .ann),
            .friendsInSight: .device(.phone, of: .named("carol")),
            .members: .device(.phone, of: .named("dora")),
            .thatService: .service(.named("myheart")),
            .subscribedService: .service(.named("myheart")),
            .anyone: .device(.phone, of: .named("zoe")),
            .anyUser: .device(.phone, of: .named("zoe")),
        ]
        var others = Principal.System.allCases.map { Principal.system($0) }
        if let guest = ClientID("a guest") { others.append(.guest(guest)) }
        if let id = UUIDv7(share) {
            others += Grant.Kind.allCases.map { .bearer(Grant($0, id)) }
        }
        for principal in others {
            if let role = principal.row.role { insiders[role] = principal }
        }
        return insiders
    }()

    private static func facts(_ party: TopicRow.Party?) -> AccessFacts {
        switch party {
        case .friendsInSight: AccessFacts(friendsInSight: [.ann])
        case .members: AccessFacts(groups: [.family])
        case .subscribedService:
            {
                var facts = AccessFacts()
                facts.subscribedUsers = [.ann]
                return facts
            }()
        case let party?:
            insiders[party]?.row.isOfGroups == true
                ? AccessFacts(groups: [.family]) : AccessFacts()
        case nil: AccessFacts()
        }
    }

    @Test(arguments: kinds)
    func `Every topic has a reader and is open only to its parties`(_ kind: Topic.Kind) throws {
        let text = TopicSpace().string(try example(kind))
        let row = try row(kind)
        #expect(!row.readers.isEmpty, "Who reads \(row.pattern)?")
        let place = try #require(TopicTableTests.policy.match(of: text))
        // The device also acts as its user.
        func has(_ parties: [TopicRow.Party], _ party: TopicRow.Party) -> Bool {
            if parties.contains(.anyone) { return true }
            if parties.contains(.anyUser), case .device? = TopicTableTests.insiders[party] {
                return true
            }
            switch party {
            case .thatDevice: return parties.contains(party) || parties.contains(.thatUser)
            // It is also the service.
            case .subscribedService:
                return parties.contains(party) || parties.contains(.thatService)
            default: return parties.contains(party)
            }
        }
        for party in TopicRow.Party.allCases {
            let principal = try #require(
                TopicTableTests.insiders[party],
                "Add somebody who is \(party.rawValue) to TopicTableTests.insiders.")
            let facts = TopicTableTests.facts(party)
            let policy = TopicTableTests.policy
            #expect(policy.mayReceive(place, principal, facts) == has(row.readers, party))
            // Each delivery decides what a service receives there.
            let mayAsk = party == .thatService && row.readers.contains(.subscribedService)
            #expect(
                policy.maySubscribe(to: text, principal, facts)
                    == (has(row.readers, party) || mayAsk))
            for (retained, parties) in [(false, row.writers), (true, row.retainers)] {
                #expect(
                    policy.mayPublish(place, retained: retained, principal, facts)
                        == has(parties, party), "\(party) at \(text), retained: \(retained)")
            }
        }
    }

    @Test(arguments: kinds)
    func `A stranger is refused everywhere`(_ kind: Topic.Kind) throws {
        let text = TopicSpace().string(try example(kind))
        let policy = TopicTableTests.policy
        let place = try #require(policy.match(of: text))
        var strangers: [Principal] = [
            .device(.phone, of: .named("zoe")), .service(.named("zoe")),
        ]
        let parties = try row(kind).readers + row(kind).writers
        if !parties.contains(.dispatch) { strangers.append(.system(.dispatch)) }
        if !parties.contains(.metrics) { strangers.append(.system(.metrics)) }
        if let guest = ClientID("another") { strangers.append(.guest(guest)) }
        // Members of another group to whom someone else shows their location.
        let facts = AccessFacts(groups: [.work], friendsInSight: [.bob])
        for stranger in strangers {
            let isUser = if case .device = stranger { true } else { false }
            let isForAll = parties.contains(.anyone) || isUser && parties.contains(.anyUser)
            #expect(policy.mayReceive(place, stranger, facts) == isForAll)
            #expect(policy.maySubscribe(to: text, stranger, facts) == isForAll)
            #expect(!policy.mayPublish(place, retained: false, stranger, facts))
            #expect(!policy.mayPublish(place, retained: true, stranger, facts))
        }
    }

    // MARK: The bridge

    /// MQTT 5, 4.7.
    private func matches(_ filter: String, _ topic: String) -> Bool {
        let (filter, topic) = (split(filter), split(topic))
        for (index, level) in filter.enumerated() {
            if level == "#" { return true }
            guard index < topic.count, level == "+" || level == topic[index] else { return false }
        }
        return filter.count == topic.count
    }

    @Test(arguments: kinds)
    func `The bridge subscribes exactly once to each topic that others publish`(_ kind: Topic.Kind)
        throws
    {
        let space = TopicSpace(root: "a/b")
        let (text, row) = (space.string(try example(kind, "a/b")), try row(kind))
        let isSaidByOthers = row.writers.contains { $0 != .bridge }
        #expect(
            row.lane != nil || !isSaidByOthers,
            "The row of \(row.pattern) does not say in which lane the bridge hears it.")
        guard let lane = row.lane else { return }
        for each in TopicRow.Lane.allCases {
            let count = space.inputs(of: each).count { matches($0, text) }
            #expect(count == (each == lane ? 1 : 0))
        }
        for filter in space.inputs {
            let policy = AccessPolicy(space)
            #expect(policy.maySubscribe(to: filter, .system(.bridge), AccessFacts()))
        }
    }

    @Test(arguments: kinds)
    func `The bridge reads back every topic that it compares`(_ kind: Topic.Kind) throws {
        let space = TopicSpace(root: "a/b")
        let (text, row) = (space.string(try example(kind, "a/b")), try row(kind))
        #expect(space.isCompared(text) == row.isCompared)
        let filters = space.retainedOutputs.filter { matches($0, text) }
        guard row.isCompared else { return #expect(filters.isEmpty, "\(text) is not compared") }
        #expect(filters.count == 1, "\(text) is brought by \(filters)")
        #expect(row.readers.contains(.bridge), "\(row.pattern) is compared, and never read.")
    }

    @Test func `The bridge subscribes only to its own topics, each once`() {
        let space = TopicSpace()
        #expect(
            Set(space.inputs) == [
                "kith/users/+/devices/+/requests/+", "kith/guests/+/requests/+",
                "kith/users/+/devices/+/vitals", "kith/services/+/requests/+",
                "kith/operator/requests/+",
                "kith/users/+/devices/+/fix", "kith/users/+/devices/+/status", "owntracks/#",
                "kith/bridge/connections", "kith/dispatch/incidents/+/answer",
                "kith/dispatch/incidents/+/vitals/request",
            ])
        #expect(Set(space.retainedOutputs).count == space.retainedOutputs.count)
        #expect(space.retainedOutputs.contains("kith/groups/+/members/+"))
        // Its own retained topics are filtered level by level: a `#` would match others' topics.
        #expect(space.retainedOutputs.allSatisfy { !$0.contains("#") })
    }

    @Test func `The retained topics of an erased user are cleared`() {
        #expect(
            Set(TopicSpace().retained(of: .ann, devices: [.phone, .named("tablet")])) == [
                "kith/users/ann/groups", "kith/users/ann/location", "kith/users/ann/unread",
                "kith/users/ann/devices/phone/status", "kith/users/ann/devices/tablet/status",
            ])
    }

    // MARK: Documents made from the table

    @Test func `The reference has the topic tables`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/")
        let reference = try String(contentsOfFile: root + "/docs/reference.md", encoding: .utf8)
        #expect(
            reference.contains("\n\(TopicRow.markdown)\n"),
            "Put what `kith-dev contract-tables topics` prints into docs/reference.md.")
        #expect(
            reference.contains("\n\(TopicRow.accessMarkdown)\n"),
            "Put what `kith access-table` prints into docs/reference.md.")
    }
}
