import Contract
import Synchronization
import Testing

@testable import Web

/// Which connection is closed when there are too many.
struct ConnectionCountsTests {
    private final class Closed: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let closed = Closed()
    private let here = "192.0.2.1"
    private let there = "198.51.100.1"

    private func enter(_ counts: ConnectionCounts, _ address: String, _ name: String)
        -> ConnectionCounts.ID?
    {
        counts.enter(address) { closed.note(name) }
    }

    @Test func `A connection beyond its address's limit replaces the longest idle one`() throws {
        let counts = ConnectionCounts(maximum: 3, all: 100)
        let first = try #require(enter(counts, here, "first"))
        let second = try #require(enter(counts, here, "second"))
        #expect(enter(counts, here, "third") != nil)
        // The first one is being answered; the second one has been since.
        counts.note(first, isUnderway: true)
        counts.note(second, isUnderway: true)
        counts.note(second, isUnderway: false)
        #expect(enter(counts, here, "call") != nil && closed.all == ["third"])
        #expect(enter(counts, here, "another") != nil && closed.all == ["third", "second"])
        #expect(enter(counts, there, "elsewhere") != nil && closed.all.count == 2)
        #expect(counts.count == 4)
    }

    @Test func `A connection is refused if all others of its address are being answered`() throws {
        let counts = ConnectionCounts(maximum: 2, all: 100)
        for name in ["a", "b"] {
            counts.note(try #require(enter(counts, here, name)), isUnderway: true)
        }
        #expect(enter(counts, here, "c") == nil && closed.all.isEmpty && counts.count == 2)
    }

    @Test func `Near the total limit, the address with the most connections gives way`() throws {
        let counts = ConnectionCounts(maximum: nil, all: 10)
        let few = try #require(enter(counts, there, "few"))
        for number in 1...8 { #expect(enter(counts, here, "many \(number)") != nil) }
        #expect(closed.all.isEmpty)
        for number in 1...3 { #expect(enter(counts, "203.0.113.\(number)", "new") != nil) }
        #expect(closed.all == ["many 1", "many 2", "many 3"])
        counts.leave(few)
        // A closed connection is already gone, and leaves once.
        counts.leave(few)
        #expect(counts.count == 8)
    }
}
