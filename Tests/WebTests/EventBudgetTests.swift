import Contract
import MQTT
import NIOCore
import Synchronization
import Testing

@testable import Web

/// Events queued for readers that read nothing.
struct EventBudgetTests {
    private let here = NetworkAddress("192.0.2.1")
    private let there = NetworkAddress("192.0.2.2")
    private let closed = Closed()

    private final class Closed: Sendable {
        private let numbers = Mutex<[Int]>([])
        func note(_ number: Int) { numbers.withLock { $0.append(number) } }
        var all: [Int] { numbers.withLock { $0 } }
    }

    private func budget(_ change: (inout WebSettings.Limits) -> Void) -> EventBudget {
        var limits = WebSettings.Limits()
        change(&limits)
        return EventBudget(limits)
    }

    /// - Parameter party: nil for a spectator.
    private func reader(_ number: Int, of party: Int?, at address: NetworkAddress)
        -> EventBudget.Reader
    {
        .init(party: party.map { .other(.guest($0)) }, address: address) { [closed] in
            closed.note(number)
        }
    }

    private func bytes(_ count: Int) -> ByteBuffer {
        ByteBuffer(repeating: 0x61, count: count - 64)
    }

    @Test func `A party beyond its bound loses the stream with the most unread bytes first`() {
        let budget = budget { $0.unreadOfParty = 10_000 }
        let own = (0..<4).map { budget.stream(["a"], of: reader($0, of: 1, at: here)) }
        let other = budget.stream(["a"], of: reader(9, of: 2, at: here))
        other.write(bytes(9_000))
        for (stream, size) in zip(own, [1_000, 4_000, 2_000, 3_000]) { stream.write(bytes(size)) }
        #expect(budget.relieve() == 0 && budget.unread == 19_000)
        own[2].write(bytes(100))
        #expect(budget.relieve() == 1 && closed.all == [1])
        #expect(own.map(\.unread) == [1_000, 0, 2_100, 3_000] && other.unread == 9_000)
        #expect(own[1].write(bytes(100)) == .ended && budget.unread == 15_100)
    }

    @Test func `Spectators' streams are bounded by address`() {
        let budget = budget { $0.unreadOfAddress = 5_000 }
        let streams = (0..<3).map {
            budget.stream(["a"], of: reader($0, of: nil, at: $0 == 2 ? there : here))
        }
        for (stream, size) in zip(streams, [2_000, 3_100, 4_900]) { stream.write(bytes(size)) }
        #expect(budget.relieve() == 1 && closed.all == [1])
    }

    /// 512 unread streams of one account from several addresses, and a person who reads.
    @Test func `Many streams of many parties stay within the total bound`() async {
        let budget = budget { $0.unread = 1_000_000 }
        let read = budget.stream(["a"], of: reader(-1, of: -1, at: there))
        let deaf = (0..<512).map { number in
            budget.stream(
                ["a"],
                of: reader(number, of: number / 32, at: NetworkAddress("198.51.100.\(number / 40)"))
            )
        }
        let event = bytes(10_000)
        read.write(event)
        _ = await read.next()
        for _ in 0..<50 {
            for stream in [read] + deaf {
                stream.write(event)
                _ = budget.relieve()
                #expect(budget.unread <= 1_000_000)
            }
            // The next check counts what was taken before.
            _ = await read.next()
        }
        #expect(closed.all.count > 400 && !closed.all.contains(-1))
    }

    @Test func `Strangers' streams, at one address or many, leave room for known users`() {
        let budget = budget { limits in
            (limits.streams, limits.streamsOfStrangers, limits.streamsOfAddress) = (8, 5, 3)
        }
        var streams: [EventStream] = []
        func open(at address: NetworkAddress, isStranger: Bool) -> Bool {
            guard budget.hasRoom(at: address, isStranger: isStranger) else { return false }
            streams.append(
                budget.stream(
                    ["a"], of: reader(streams.count, of: isStranger ? nil : 1, at: address),
                    isStranger: isStranger))
            return true
        }
        #expect((1...4).map { _ in open(at: here, isStranger: true) } == [true, true, true, false])
        #expect(open(at: here, isStranger: false))
        #expect((1...3).map { _ in open(at: there, isStranger: true) } == [true, true, false])
        #expect((1...3).map { _ in open(at: there, isStranger: false) } == [true, true, false])
        streams.removeAll()
        budget.everySecond()
        #expect(open(at: here, isStranger: true))
    }

    @Test func `Bytes taken by a reader and not sent still count`() async {
        let budget = budget { _ in }
        let stream = budget.stream(["a"], of: reader(0, of: 1, at: here))
        for _ in 1...3 { stream.write(bytes(12_000)) }
        #expect(await stream.next()?.count == 2 && budget.unread == 36_000)
        stream.cut()
        // What is being sent is all that is left.
        #expect(budget.unread == 24_000 && stream.unread == 24_000)
        #expect(await stream.next() == nil && budget.unread == 0)
    }

    @Test func `Bytes of a released stream no longer count`() {
        let budget = budget { _ in }
        do {
            let stream = budget.stream(["a"], of: reader(0, of: 1, at: here))
            stream.write(bytes(1_000))
            #expect(budget.unread == 1_000)
        }
        budget.everySecond()
        #expect(budget.unread == 0)
    }

    @Test func `An event for many readers on several connections is in memory once`() async throws {
        let limits = WebSettings.Limits()
        var renderer = Renderer()
        var streams: [EventStream] = []
        for epoch in 1...2 {
            var subscriptions = EventSubscriptions(epoch: UInt64(epoch), limits)
            for _ in 1...2 {
                let stream = EventStream(["a"], backlog: limits.backlog)
                _ = subscriptions.open(stream, ["a"], after: nil, at: .zero) { _ in }
                streams.append(stream)
            }
            subscriptions.take(
                Message(topic: "a", payload: Array("\"long enough\"".utf8)), at: .zero, &renderer)
        }
        var places: Set<UnsafeRawPointer?> = []
        for stream in streams {
            let parts = try #require(await stream.next())
            #expect(parts.count == 2)
            unsafe parts[1].withUnsafeReadableBytes { _ = unsafe places.insert($0.baseAddress) }
        }
        #expect(places.count == 1)
    }

    @Test func `A history of large events is bounded in bytes`() {
        var history = EventHistory(capacity: 100, maximumSize: 10_000)
        let event = Event(
            Message(topic: "a", payload: Array("\"\(String(repeating: "x", count: 3_000))\"".utf8)))
        for _ in 1...10 { _ = history.append(event) }
        #expect(history.entries(after: 7)?.count == 3)
        #expect(history.entries(after: 6) == nil)
    }
}

/// Which filters with wildcards match a topic.
struct PatternIndexTests {
    private let filters = [
        "#", "a/#", "a/+/c", "+/b/c", "a/b/+", "a/b/c", "x/#", "a/b/c/#", "a/b/d/+",
    ]

    @Test(arguments: ["a", "a/b/c", "a/b", "x", "x/y/z", "a//c", "", "b/b/c", "a/b/d/e"])
    func `The index matches the same filters as a check one by one`(_ topic: String) {
        let index = PatternIndex(filters)
        let expected = filters.map { TopicFilter($0) }
            .filter { $0.hasWildcards && $0.matches(topic) }.map(\.text)
        #expect(index.matching(topic).sorted() == expected.sorted())
    }
}
