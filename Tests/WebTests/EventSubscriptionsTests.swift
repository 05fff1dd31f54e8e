import MQTT
import NIOCore
import Testing

@testable import Web

/// Readers of topics on a visitor connection, without a broker: its answers are given by hand.
struct EventSubscriptionsTests {
    private final class Box {
        var opened: [EventStream] = []
        var refused = 0
    }

    private let limits: WebSettings.Limits
    private var subscriptions: EventSubscriptions
    private var renderer = Renderer()
    private let box = Box()
    private var isForAnybody = false
    private var lastID: Int32 = 0
    /// Subscriptions that the broker has not answered yet.
    private var asked: [Connection.SubscriptionID] = []

    init() {
        var limits = WebSettings.Limits()
        limits.streamsOfVisitor = 2
        limits.history = 3
        limits.filtersOfVisitor = 3
        limits.backlog = 2_000
        self.limits = limits
        subscriptions = EventSubscriptions(epoch: 7, limits)
    }

    /// - Returns: whether the reader resumes from where it was.
    @discardableResult
    private mutating func open(
        _ filters: String..., after last: EventID? = nil, at now: Duration = .zero
    ) -> Bool {
        let box = box
        let mode = subscriptions.open(
            EventStream(filters, backlog: limits.backlog), filters, after: last, at: now
        ) { result in
            switch result {
            case .success(let stream): box.opened.append(stream)
            case .failure: box.refused += 1
            }
        }
        guard mode != .none else { return false }
        for filter in filters where !isForAnybody || subscriptions.ask(filter) { ask(filter) }
        return mode == .withoutRetained
    }

    /// - Returns: the filters to subscribe to again.
    @discardableResult
    private mutating func answer(_ granted: Bool...) -> [String] {
        let wanted = granted.flatMap {
            subscriptions.answered(asked.removeFirst(), granted: $0, at: .zero)
        }
        for filter in wanted { ask(filter) }
        return wanted
    }

    private mutating func ask(_ filter: String) {
        lastID += 1
        asked.append(.init(rawValue: lastID))
        subscriptions.expectAnswer(.init(rawValue: lastID), about: filter)
    }

    private mutating func tell(_ topic: String, _ text: String = "1", retain: Bool = false) {
        subscriptions.take(
            Message(topic: topic, payload: Array(text.utf8), retain: retain), at: .zero, &renderer)
    }

    /// The topics that a stream received, and other kinds of event.
    private func read(_ stream: EventStream) async -> [String] {
        stream.end()
        var bytes: [UInt8] = []
        while let parts = await stream.next() {
            for part in parts { bytes += Array(part.readableBytesView) }
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            if line.hasPrefix("event: ") { return String(line.dropFirst(7)) }
            guard line.hasPrefix("data: {\"topic\":\"") else { return nil }
            return String(line.dropFirst(16).prefix { $0 != "\"" })
        }
    }

    @Test mutating func `A reader is admitted when all filters are granted`() async {
        open("a/#", "b")
        answer(true)
        #expect(box.opened.isEmpty)
        // Retained messages may arrive before the answer.
        tell("a/1")
        answer(true)
        #expect(box.opened.count == 1)
        tell("b")
        tell("c")
        #expect(await read(box.opened[0]) == ["a/1", "b"])
    }

    @Test mutating func `A refused filter refuses the reader and leaves nothing behind`() {
        open("a", "b")
        answer(true, false)
        #expect(box.opened.isEmpty && box.refused == 1)
        #expect(subscriptions.readers.all.isEmpty)
        let left = subscriptions.takeUnused(at: .seconds(61))
        #expect(Set(left) == ["a", "b"])
    }

    @Test mutating func `Answers about the connection's own topics do not concern readers`() {
        open("a")
        let own = Connection.SubscriptionID(rawValue: 7)
        #expect(subscriptions.answered(own, granted: false, at: .zero).isEmpty)
        #expect(box.refused == 0 && box.opened.isEmpty)
        answer(true)
        #expect(box.opened.count == 1)
    }

    @Test mutating func `Answers may arrive in any order`() {
        open("a")
        open("b")
        asked.reverse()
        answer(false)
        #expect(box.refused == 1 && box.opened.isEmpty)
        answer(true)
        #expect(box.opened.map(\.filters) == [["a"]])
    }

    @Test mutating func `A filter that could not be requested disturbs no other`() {
        _ = subscriptions.open(
            EventStream(["a"], backlog: limits.backlog), ["a"], after: nil, at: .zero
        ) { [box] result in
            if case .failure = result { box.refused += 1 }
        }
        subscriptions.refuse("a", at: .zero)
        open("b")
        answer(true)
        #expect(box.refused == 1 && box.opened.count == 1)
    }

    private func id(_ number: UInt64, epoch: UInt64 = 7) -> EventID {
        EventID(epoch: epoch, number: number)
    }

    @Test mutating func `A returning reader gets what it missed once the broker agrees`() async {
        open("a")
        answer(true)
        for _ in 1...4 { tell("a") }
        subscriptions.remove(box.opened[0], at: .zero)
        let goesOn = open("a", after: id(2))
        #expect(goesOn)
        // Not twice, and not before what was missed.
        tell("a")
        answer(true)
        tell("a")
        #expect(await read(box.opened[1]) == ["a", "a", "a", "a"])
        let refused = open("a", after: id(5))
        answer(false)
        #expect(refused && box.refused == 1)
    }

    @Test mutating func `A reader that was away for too long starts over`() async {
        open("a")
        answer(true)
        for _ in 1...4 { tell("a") }
        // The history has three.
        let (oldest, older) = (open("a", after: id(1)), open("a", after: id(0)))
        #expect(oldest && !older)
        let (foreign, future) = (open("a", after: id(4, epoch: 8)), open("a", after: id(5)))
        #expect(!foreign && !future)
        let unknown = open("a", "b", after: id(4))
        #expect(!unknown)
        answer(true, true)
        #expect(await read(box.opened[2]) == ["reset"])
    }

    @Test mutating func `A reader without all retained messages starts over`() async {
        open("a")
        answer(true)
        for retain in [false, true, true, false] { tell("a", retain: retain) }
        let (partial, whole) = (open("a", after: id(2)), open("a", after: id(3)))
        #expect(!partial && whole)
    }

    @Test mutating func `A reader that could not resume gets the retained messages`() async {
        open("a")
        answer(true)
        tell("a")
        let goesOn = open("a", after: id(1))
        // Meanwhile another tab receives the retained message.
        tell("a", retain: true)
        let wanted = answer(true)
        #expect(goesOn && wanted == ["a"])
        #expect(box.opened.count == 1)
        tell("a", retain: true)
        answer(true)
        #expect(box.opened.count == 2)
        #expect(await read(box.opened[1]) == ["reset", "a"])
    }

    @Test mutating func `A resuming reader misses nothing if the connection breaks`() async {
        open("a")
        answer(true)
        tell("a")
        open("a", after: id(1))
        asked = []
        for filter in subscriptions.reopen() { ask(filter) }
        tell("a", retain: true)
        answer(true)
        #expect(await read(box.opened[1]) == ["reset", "a"])
    }

    @Test mutating func `After a broken connection readers are reset`() async {
        open("a")
        answer(true)
        tell("a")
        let wanted = subscriptions.reopen()
        #expect(wanted == ["a"])
        for filter in wanted { ask(filter) }
        answer(true)
        // Messages sent without a connection are unknown.
        let goesOn = open("a", after: id(1))
        #expect(!goesOn)
        answer(false)
        #expect(await read(box.opened[0]) == ["a", "reset", "refused", "a"])
    }

    @Test mutating func `The oldest reader makes room, and a slow one is ended`() async {
        for _ in 1...3 {
            open("a")
            answer(true)
        }
        #expect(subscriptions.readers.count == 2)
        #expect(await read(box.opened[0]).isEmpty)
        for _ in 1...60 { tell("a", "\"\(String(repeating: "x", count: 60))\"") }
        #expect(subscriptions.readers.all.isEmpty)
        #expect(renderer.overruns == 2)
        #expect(await box.opened[1].next() == nil && box.opened[1].unread == 0)
    }

    @Test mutating func `A reader that leaves before the answer makes room`() async {
        for _ in 1...2 {
            open("a")
            answer(true)
        }
        tell("a")
        _ = await box.opened[0].next()
        subscriptions.expire(at: .seconds(39))
        #expect(subscriptions.readers.count == 2)
        subscriptions.expire(at: .seconds(41))
        #expect(subscriptions.readers.all.map(\.stream).elementsEqual([box.opened[0]], by: ===))
    }

    @Test mutating func `Filters without readers are dropped after a while, and are bounded`() {
        open("a")
        answer(true)
        #expect(subscriptions.hasRoom(for: ["a", "b", "c"]))
        #expect(!subscriptions.hasRoom(for: ["b", "c", "d"]))
        subscriptions.remove(box.opened[0], at: .seconds(10))
        let early = subscriptions.takeUnused(at: .seconds(60))
        let late = subscriptions.takeUnused(at: .seconds(71))
        #expect(early.isEmpty && late == ["a"])
        tell("a")
        let goesOn = open("a", after: id(0))
        #expect(!goesOn)
    }

    // MARK: Public topics

    @Test mutating func `A later reader gets the newest messages without asking the broker`() async
    {
        var limits = limits
        limits.streamsOfVisitor = 10
        subscriptions = EventSubscriptions(epoch: 7, limits, isForAnybody: true)
        isForAnybody = true
        open("run", "standings")
        #expect(asked.count == 2)
        answer(true, true)
        tell("run", retain: true)
        tell("standings", "[1]", retain: true)
        tell("standings", "[2]")
        open("run", "standings")
        #expect(asked.isEmpty && box.opened.count == 2)
        // A cleared message is no longer delivered.
        tell("run", "")
        open("run", "standings")
        #expect(await read(box.opened[0]) == ["run", "standings", "standings", "run"])
        #expect(await Set(read(box.opened[1])) == ["run", "standings"])
        #expect(await read(box.opened[2]) == ["standings"])
        for stream in box.opened { subscriptions.remove(stream, at: .zero) }
        #expect(
            Set(subscriptions.takeUnused(at: limits.idle + .seconds(1))) == ["run", "standings"])
        open("run")
        #expect(asked.count == 1)
    }

    @Test mutating func `A reader of a requested filter shares its answer and earlier messages`()
        async
    {
        subscriptions = EventSubscriptions(epoch: 7, limits, isForAnybody: true)
        isForAnybody = true
        open("run")
        tell("run", retain: true)
        open("run", "standings")
        #expect(asked.count == 2)
        answer(true)
        #expect(box.opened.count == 1)
        answer(true)
        #expect(box.opened.count == 2)
        #expect(await read(box.opened[1]) == ["run"])
        // A filter without readers at its turn is requested again by the next reader.
        open("runner")
        subscriptions.fail(.noAnswer, at: .zero)
        asked = []
        var isWanted = subscriptions.isStillWanted("runner")
        #expect(!isWanted)
        open("runner")
        isWanted = subscriptions.isStillWanted("runner")
        #expect(asked.count == 1 && isWanted)
    }
}
