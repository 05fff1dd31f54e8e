import MQTT
import Testing

@testable import Web

/// Who reads which topics on a line, without a broker: its answers are given by hand.
struct ReaderDeskTests {
    private final class Box {
        var opened: [EventStream] = []
        var refused = 0
    }

    private var desk: ReaderDesk
    private var renderer = Renderer()
    private let box = Box()

    init() {
        var limits = WebSettings.Limits()
        limits.streamsOfVisitor = 2
        limits.journal = 3
        limits.backlog = 2_000
        desk = ReaderDesk(epoch: 7, limits)
    }

    private mutating func open(
        _ filters: String..., again: Bool = false, at now: Duration = .zero
    ) -> [String] {
        let box = box
        return desk.open(filters, asksAgain: again, isConnected: true, at: now) { result in
            switch result {
            case .success(let stream): box.opened.append(stream)
            case .failure: box.refused += 1
            }
        }
    }

    private mutating func tell(_ topic: String, _ text: String = "1", retain: Bool = false) {
        desk.take(Message(topic: topic, payload: Array(text.utf8), retain: retain), &renderer)
    }

    /// The topics that a stream was told of, and other kinds of event.
    private func read(_ stream: EventStream) async -> [String] {
        stream.end()
        var bytes: [UInt8] = []
        while let more = await stream.next() { bytes += more }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            if line.hasPrefix("event: ") { return String(line.dropFirst(7)) }
            guard line.hasPrefix("data: {\"topic\":\"") else { return nil }
            return String(line.dropFirst(16).prefix { $0 != "\"" })
        }
    }

    @Test mutating func `A reader is let in when all filters are granted`() async {
        let wanted = open("a/#", "b")
        #expect(wanted == ["a/#", "b"])
        desk.answered(granted: true)
        #expect(box.opened.isEmpty)
        // What is retained may come before the answer.
        tell("a/1")
        desk.answered(granted: true)
        #expect(box.opened.count == 1)
        tell("b")
        tell("c")
        #expect(await read(box.opened[0]) == ["a/1", "b"])
    }

    @Test mutating func `One refused filter refuses the reader`() {
        _ = open("a", "b")
        desk.answered(granted: true)
        desk.answered(granted: false)
        #expect(box.opened.isEmpty && box.refused == 1)
        #expect(desk.streams.isEmpty)
    }

    @Test mutating func `Answers about the line's own topics are not the readers'`() {
        desk.expectAnswers(own: 2)
        _ = open("a")
        desk.answered(granted: false)
        desk.answered(granted: true)
        #expect(box.refused == 0 && box.opened.isEmpty)
        desk.answered(granted: true)
        #expect(box.opened.count == 1)
    }

    private mutating func resume(
        _ filters: [String] = ["a"], after number: UInt64, epoch: UInt64 = 7
    ) -> EventStream? {
        desk.resume(filters, after: EventID(epoch: epoch, number: number), at: .zero)
    }

    @Test mutating func `Who comes back gets what was missed`() async throws {
        _ = open("a")
        desk.answered(granted: true)
        for _ in 1...4 { tell("a") }
        desk.remove(box.opened[0], at: .zero)
        let found = resume(after: 2)
        let stream = try #require(found)
        #expect(await read(stream) == ["a", "a"])
        // The journal has three.
        let (oldest, older) = (resume(after: 1), resume(after: 0))
        #expect(oldest != nil && older == nil)
        let (foreign, future) = (resume(after: 4, epoch: 8), resume(after: 5))
        #expect(foreign == nil && future == nil)
        let unknown = resume(["a", "b"], after: 4)
        #expect(unknown == nil)
    }

    @Test mutating func `Who has not got all that is retained begins anew`() async throws {
        _ = open("a")
        desk.answered(granted: true)
        for retain in [false, true, true, false] { tell("a", retain: retain) }
        let (partial, whole) = (resume(after: 2), resume(after: 3))
        #expect(partial == nil)
        #expect(await read(try #require(whole)) == ["a"])
    }

    @Test mutating func `After a broken connection readers are told to ask anew`() async {
        _ = open("a")
        desk.answered(granted: true)
        desk.expectAnswers(own: 1)
        let wanted = desk.reopen()
        #expect(wanted == ["a"])
        desk.answered(granted: true)
        desk.answered(granted: false)
        #expect(await read(box.opened[0]) == ["reset", "refused", "a"])
    }

    @Test mutating func `The oldest reader makes room, and a slow one is ended`() async {
        for _ in 1...3 {
            _ = open("a")
            desk.answered(granted: true)
        }
        #expect(desk.streams.count == 2)
        #expect(await read(box.opened[0]).isEmpty)
        for _ in 1...60 { tell("a", "\"\(String(repeating: "x", count: 60))\"") }
        #expect(desk.streams.isEmpty)
        #expect(renderer.overruns == 2)
        #expect(await box.opened[1].next().map(\.count).map { $0 <= 2_000 } == true)
    }

    @Test mutating func `Who has gone before the answer makes room`() async {
        for _ in 1...2 {
            _ = open("a")
            desk.answered(granted: true)
        }
        tell("a")
        _ = await box.opened[0].next()
        desk.expire(at: .seconds(39))
        #expect(desk.streams.count == 2)
        desk.expire(at: .seconds(41))
        #expect(desk.streams.map(\.stream).elementsEqual([box.opened[0]], by: ===))
    }

    @Test mutating func `A filter that nobody reads is given up after a while`() {
        _ = open("a")
        desk.answered(granted: true)
        desk.remove(box.opened[0], at: .seconds(10))
        let early = desk.takeUnused(at: .seconds(60))
        let late = desk.takeUnused(at: .seconds(71))
        #expect(early.isEmpty && late == ["a"])
        tell("a")
        let stream = resume(after: 0)
        #expect(stream == nil)
    }
}
