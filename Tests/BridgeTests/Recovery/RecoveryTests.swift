import Contract
import Foundation
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// Two bridges with the same random input, of which one is disturbed: afterwards both publish the
/// same.
struct RecoveryTests {
    /// `KITH_SEEDS=200 swift test --filter RecoveryTests` tries more seeds.
    static let seeds =
        1...(ProcessInfo.processInfo.environment["KITH_SEEDS"].flatMap { UInt64($0) } ?? 3)

    private func expected(_ world: World) throws -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: try world.engine.corrections(of: [:]).map {
                ($0.topic, String(decoding: $0.payload, as: UTF8.self))
            })
    }

    /// Unseen items are counted in steps: a restart changes when, but not what.
    private func checkCounts(_ disturbed: World, _ quiet: World) throws {
        for world in [disturbed, quiet] { try world.pass(.seconds(10)) }
        #expect(try expected(disturbed) == expected(quiet))
    }

    /// Checks that what was published is what should be retained, except for paths and lists of groups
    /// still to be shown. An empty list of groups is published once, and not retained.
    private func checkConsistency(_ world: World) throws {
        let wrong = try world.engine.corrections(of: world.retained).filter {
            switch world.topics.parse($0.topic) {
            case .userGroups:
                !$0.payload.isEmpty && world.engine.memory.state(GroupsState.self).lists.isEmpty
            case .path: !world.engine.hasPathsToShow
            default: true
            }
        }
        try #require(wrong.map(\.topic) == [])
    }

    private func checkEquality(_ disturbed: World, _ quiet: World) throws {
        let (one, other) = (try expected(disturbed), try expected(quiet))
        for topic in Set(one.keys).union(other.keys).sorted()
        where !topic.hasSuffix("/unread") {
            try #require(one[topic] == other[topic], "\(topic)")
        }
    }

    /// Expects the same on each topic; the order of the topics does not matter, nor in how many
    /// parts a path arrived.
    private func checkPublications(_ disturbed: World, _ quiet: World) throws {
        let (one, other) = (byTopic(disturbed.published()), byTopic(quiet.published()))
        for topic in Set(one.keys).union(other.keys).sorted() {
            try #require(one[topic] == other[topic], "\(topic)")
        }
    }

    private func byTopic(_ publications: [Publication]) -> [String: [String]] {
        let others = publications.filter {
            // Lists of groups are published a few per turn, and after a start all at once.
            !$0.topic.contains("/path/") && !$0.topic.hasSuffix("/groups")
                && !$0.topic.hasSuffix("/unread")
        }
        return Dictionary(grouping: others, by: \.topic).mapValues { publications in
            publications.map { publication in
                let text = String(decoding: publication.payload, as: UTF8.self)
                // The ids of notices, invitations and messages are random, and are drawn again if they were
                // lost.
                let isDrawn = ["/notices", "/chat"].contains { publication.topic.hasSuffix($0) }
                if text.contains(#""messages":["#) {
                    return text.replacing(/"(id|next)":"[0-9a-f-]{36}"/, with: "")
                }
                return isDrawn
                    ? text.replacing(/^\{"id":"[^"]*"/, with: "{")
                        .replacing(/"invitation":"[^"]*",/, with: "")
                    : text.replacing(/"message":\{"id":"[^"]*"/, with: #""message":{"#)
            }
        }
    }

    @Test(arguments: seeds)
    func `A restart at any moment changes nothing`(_ seed: UInt64) throws {
        let (quiet, disturbed) = (try RandomLife.world(), try RandomLife.world())
        var life = RandomLife(seed: seed)
        for _ in 1...200 {
            let end = quiet.now + life.pause()
            try quiet.pass(until: end)
            try disturbed.pass(until: end)
            let batch = life.batch(in: quiet)
            try quiet.turn(batch)
            try disturbed.turn(batch)
            try checkPublications(disturbed, quiet)
            try checkConsistency(quiet)
            if life.happens(30) {
                try disturbed.blink()
                _ = disturbed.published()
            }
            try checkEquality(disturbed, quiet)
        }
        #expect(try disturbed.tableCounts() == quiet.tableCounts())
        try checkCounts(disturbed, quiet)
    }

    @Test(arguments: seeds)
    func `Redelivery after a crash changes nothing`(_ seed: UInt64) throws {
        let (quiet, disturbed) = (try RandomLife.world(), try RandomLife.world())
        var life = RandomLife(seed: seed + 1_000_000)
        for _ in 1...200 {
            let end = quiet.now + life.pause()
            try quiet.pass(until: end)
            try disturbed.pass(until: end)
            let batch = life.batch(in: quiet)
            try quiet.turn(batch)
            if life.happens(30) {
                try disturbed.crashAfterCommit(of: batch)
            } else {
                try disturbed.turn(batch)
            }
            try checkEquality(disturbed, quiet)
            try checkConsistency(disturbed)
        }
        #expect(try disturbed.tableCounts() == quiet.tableCounts())
        try checkCounts(disturbed, quiet)
        let (one, other) = (disturbed.published(), quiet.published())
        #expect(alerts(one) == alerts(other))
        #expect(try chats(one) == chats(other))
    }

    @Test(arguments: seeds)
    func `A commit that fails at any moment changes nothing`(_ seed: UInt64) throws {
        let faults = Faults()
        let (quiet, disturbed) = (try RandomLife.world(), try RandomLife.world(faults))
        var life = RandomLife(seed: seed + 2_000_000)
        for _ in 1...200 {
            let end = quiet.now + life.pause()
            try quiet.pass(until: end)
            try disturbed.pass(until: end)
            try checkPublications(disturbed, quiet)
            let batch = life.batch(in: quiet)
            try quiet.turn(batch)
            if life.happens(30) {
                faults.failNextCommit = true
                #expect(throws: StoreError.self) { try disturbed.turn(batch) }
                // The loop reconnects before it goes on.
                try disturbed.reconnect(listeningSince: quiet.listeningSince)
                _ = disturbed.published()
            }
            try disturbed.turn(batch)
            try checkPublications(disturbed, quiet)
            try checkEquality(disturbed, quiet)
        }
        #expect(try disturbed.tableCounts() == quiet.tableCounts())
        try checkCounts(disturbed, quiet)
    }

    /// The chat as all members read it in the end, in id order, each message once.
    private func chats(_ publications: [Publication]) throws -> [String] {
        var messages: [String: String] = [:]
        for publication in publications where publication.topic.hasSuffix("/chat") {
            let json = JSONValue.read(publication.payload)
            let id = try #require(json["id"]?.text)
            let words = [json["kind"], json["from"], json["text"], json["group"]].map {
                $0?.text ?? "-"
            }.joined(separator: " ")
            #expect(messages[id] ?? words == words, "two messages have one id")
            messages[id] = words
        }
        return messages.sorted { $0.key < $1.key }.map(\.value)
    }

    private func alerts(_ publications: [Publication]) -> Set<String> {
        Set(
            publications.filter { $0.topic.hasSuffix("/alerts") }
                .map { String(decoding: $0.payload, as: UTF8.self) })
    }
}
