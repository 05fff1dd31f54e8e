import Contract
import Foundation
import Testing

/// What must hold for every row of the table of topics, whichever comes next.
struct TopicTableTests {
    /// One topic of each kind, as the names in these tests have it.
    private static let examples: [Topic] = {
        let guest = ClientID("a guest").map {
            [Topic.guestRequest($0, method: "account.login"), .guestReplies($0, suffix: "/a")]
        }
        return [
            .fix(.ann, device: .phone), .status(.ann, device: .phone),
            .request(.ann, device: .phone, method: "group.list"),
            .replies(.ann, device: .phone, suffix: "/a/b"), .rejected(.ann, device: .phone),
            .stored(.ann, device: .phone), .userGroups(.ann), .notices(.ann), .location(.ann),
            .group(.family), .member(.family, .ann), .path(.family, .ann, segment: 12),
            .alerts(.family), .chat(.family), .ownTracks(.ann, device: .phone, suffix: ""),
            .ownTracks(.ann, device: .phone, suffix: "cmd"),
            .ownTracks(.ann, device: .phone, suffix: "event"),
            .ownTracksMember(viewer: .ann, .bob, suffix: ""),
            .ownTracksMember(viewer: .ann, .bob, suffix: "info"), .systemStatus,
            .metric("turns"), .brokerFigure("/clients/connected"), .connections, .marker,
        ] + (guest ?? [])
    }()

    private func example(_ kind: Topic.Kind) throws -> Topic {
        try #require(
            TopicTableTests.examples.first { $0.kind == kind },
            "Add a topic of the kind \(kind) to TopicTableTests.examples.")
    }

    private func row(_ kind: Topic.Kind) throws -> TopicRow {
        try #require(
            TopicRow.all.first { $0.kind == kind },
            "Add a row of the kind \(kind) to TopicRow.all.")
    }

    @Test func `Every kind of topic has one row, and every row is of a kind`() {
        #expect(
            TopicRow.all.map(\.kind.rawValue).sorted() == Topic.Kind.allCases.map(\.rawValue))
        #expect(Set(TopicRow.all.map(\.pattern)).count == TopicRow.all.count)
    }

    // MARK: Printing and parsing

    @Test(arguments: Topic.Kind.allCases, ["kith", "a/b/c"])
    func `What is printed by the table is parsed as the same`(
        _ kind: Topic.Kind, _ root: String
    ) throws {
        let space = TopicSpace(root: root)
        let topic = try example(kind)
        let text = space.string(topic)
        #expect(space.parse(text) == topic, "TopicSpace.parse does not read \(text).")
        // Level by level it is what the table says.
        let pattern = try row(kind).pattern.replacing("{root}", with: root)
        let levels = (text: split(text), pattern: split(pattern))
        for (index, level) in levels.pattern.enumerated() where level != "[…]" {
            let isName = level.hasPrefix("{") || level.hasPrefix("@{")
            #expect(isName || levels.text[index] == level, "\(text) as \(pattern)")
        }
        #expect(levels.text.count == levels.pattern.count || levels.pattern.last == "[…]")
    }

    private func split(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// What differs in one level: longer, shorter, misspelt or empty there.
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

    @Test(arguments: Topic.Kind.allCases)
    func `A neighbour of a topic is not taken for it`(_ kind: Topic.Kind) throws {
        let space = TopicSpace()
        let topic = try example(kind)
        for text in neighbours(of: space.string(topic)) where !text.isEmpty {
            let found = space.parse(text)
            #expect(found != topic, "\(text)")
            // What is a topic all the same is printed as it came.
            if let found { #expect(space.string(found) == text) }
        }
    }

    // MARK: Who may do what

    private static let policy = AccessPolicy()

    /// Everybody who has a right somewhere, in the examples.
    private static let insiders: [TopicRow.Party: Principal] = {
        var insiders: [TopicRow.Party: Principal] = [
            .thatDevice: .device(.phone, of: .ann), .thatUser: .device(.named("tablet"), of: .ann),
            .friendsInSight: .device(.phone, of: .named("carol")),
            .members: .device(.phone, of: .named("dora")), .operator: .system(.operator),
            .bridge: .system(.bridge),
        ]
        insiders[.thatGuest] = ClientID("a guest").map { .guest($0) }
        return insiders
    }()

    private static func facts(_ party: TopicRow.Party?) -> AccessFacts {
        switch party {
        case .friendsInSight: AccessFacts(friendsInSight: [.ann])
        case .members: AccessFacts(groups: [.family])
        default: AccessFacts()
        }
    }

    @Test(arguments: Topic.Kind.allCases)
    func `Every topic has a reader, and its parties alone may use it`(_ kind: Topic.Kind) throws {
        let text = TopicSpace().string(try example(kind))
        let row = try row(kind)
        #expect(!row.readers.isEmpty, "Who reads \(row.pattern)?")
        let place = try #require(TopicTableTests.policy.match(of: text))
        // Who has the device is the user, too.
        func has(_ parties: [TopicRow.Party], _ party: TopicRow.Party) -> Bool {
            parties.contains(party) || party == .thatDevice && parties.contains(.thatUser)
        }
        for party in TopicRow.Party.allCases {
            let principal = try #require(
                TopicTableTests.insiders[party],
                "Add somebody who is \(party.rawValue) to TopicTableTests.insiders.")
            let facts = TopicTableTests.facts(party)
            let policy = TopicTableTests.policy
            #expect(policy.mayReceive(place, principal, facts) == has(row.readers, party))
            #expect(policy.maySubscribe(to: text, principal, facts) == has(row.readers, party))
            for (retained, parties) in [(false, row.writers), (true, row.retainers)] {
                #expect(
                    policy.mayPublish(place, retained: retained, principal, facts)
                        == has(parties, party), "\(party) at \(text), retained: \(retained)")
            }
        }
    }

    @Test(arguments: Topic.Kind.allCases)
    func `A stranger is refused everywhere`(_ kind: Topic.Kind) throws {
        let text = TopicSpace().string(try example(kind))
        let policy = TopicTableTests.policy
        let place = try #require(policy.match(of: text))
        var strangers: [Principal] = [
            .device(.phone, of: .named("zoe")), .service(.named("zoe")), .system(.dispatch),
        ]
        if let guest = ClientID("another") { strangers.append(.guest(guest)) }
        // Who is in another group, and whom others show where they are.
        let facts = AccessFacts(groups: [.work], friendsInSight: [.bob])
        for stranger in strangers {
            #expect(!policy.mayReceive(place, stranger, facts))
            #expect(!policy.maySubscribe(to: text, stranger, facts))
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

    @Test(arguments: Topic.Kind.allCases)
    func `The bridge hears what others say, each thing once`(_ kind: Topic.Kind) throws {
        let space = TopicSpace(root: "a/b")
        let (text, row) = (space.string(try example(kind)), try row(kind))
        let isSaidByOthers = row.writers.contains { $0 != .bridge }
        #expect(
            row.lane != nil || !isSaidByOthers,
            "The row of \(row.pattern) does not say in which lane the bridge hears it.")
        guard let lane = row.lane else { return }
        let (requests, stream) = (space.requestInputs, space.streamInputs)
        #expect(requests.count { matches($0, text) } == (lane == .requests ? 1 : 0))
        #expect(stream.count { matches($0, text) } == (lane == .stream ? 1 : 0))
        for filter in requests + stream {
            let policy = AccessPolicy(space)
            #expect(policy.maySubscribe(to: filter, .system(.bridge), AccessFacts()))
        }
    }

    @Test(arguments: Topic.Kind.allCases)
    func `The bridge reads back what it compares`(_ kind: Topic.Kind) throws {
        let space = TopicSpace(root: "a/b")
        let (text, row) = (space.string(try example(kind)), try row(kind))
        #expect(space.isCompared(text) == row.isCompared)
        guard row.isCompared else { return }
        let filters = space.retainedOutputs.filter { matches($0, text) }
        #expect(filters.count == 1, "\(text) is brought by \(filters)")
        #expect(row.readers.contains(.bridge), "\(row.pattern) is compared, and never read.")
    }

    @Test func `The bridge asks for nothing that is not its own, and for nothing twice`() {
        let space = TopicSpace()
        #expect(
            Set(space.inputs) == [
                "kith/users/+/devices/+/requests/+", "kith/guests/+/requests/+",
                "kith/users/+/devices/+/fix", "kith/users/+/devices/+/status", "owntracks/#",
                "kith/bridge/connections",
            ])
        #expect(
            Set(space.retainedOutputs) == [
                "kith/users/+/groups", "kith/users/+/location", "kith/groups/+",
                "kith/groups/+/members/+", "kith/groups/+/members/+/path/+", "owntracks/+/+",
                "owntracks/+/+/+",
            ])
    }

    @Test func `What is somebody's own is cleared when they are gone`() {
        #expect(
            Set(TopicSpace().retained(of: .ann, devices: [.phone, .named("tablet")])) == [
                "kith/users/ann/groups", "kith/users/ann/location",
                "kith/users/ann/devices/phone/status", "kith/users/ann/devices/tablet/status",
            ])
    }

    // MARK: What is made from the table

    @Test func `The reference shows the tables of topics`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/")
        let reference = try String(contentsOfFile: root + "/docs/reference.md", encoding: .utf8)
        #expect(
            reference.contains("\n\(TopicRow.markdown)\n"),
            "Put what `kith contract-tables topics` prints into docs/reference.md.")
        #expect(
            reference.contains("\n\(TopicRow.accessMarkdown)\n"),
            "Put what `kith access-table` prints into docs/reference.md.")
    }
}
