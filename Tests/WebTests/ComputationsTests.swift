import Contract
import HTTPTypes
import Synchronization
import Testing

@testable import Web

/// Turns on the computing thread, and how long each may take.
struct ComputationsTests {
    private func party(_ number: Int) -> Party { .other(.guest(number)) }
    private let here = NetworkAddress("192.0.2.1")

    private final class Notes: Sendable {
        private let state = Mutex((numbers: [Int](), isOpen: false))
        var numbers: [Int] { state.withLock { $0.numbers } }
        var isOpen: Bool { state.withLock { $0.isOpen } }
        func note(_ number: Int) { state.withLock { $0.numbers.append(number) } }
        func open() { state.withLock { $0.isOpen = true } }
    }

    @Test func `Many computations of one party delay another party by only one`() async throws {
        let computations = Computations(limit: .seconds(60))
        let notes = Notes()
        func begin(_ number: Int) -> Task<Void, any Error> {
            let party = party(number)
            return Task {
                try await computations.run(for: party) { _ in
                    notes.note(number)
                    while !notes.isOpen {}
                }
            }
        }
        // The first one holds the thread until all the others wait.
        var tasks = [begin(1)]
        while notes.numbers.isEmpty { await Task.yield() }
        for number in [1, 1, 1, 2] {
            let before = computations.waitingCount
            tasks.append(begin(number))
            while computations.waitingCount == before { await Task.yield() }
        }
        notes.open()
        for task in tasks { try await task.value }
        #expect(notes.numbers == [1, 1, 2, 1, 1])
        #expect(computations.waitingCount == 0)
        // The idle thread is followed by another one.
        let last = try await computations.run(for: party(3)) { _ in 7 }
        #expect(last == 7)
    }

    @Test func `A computation past its deadline is ended and the next one begins`() async throws {
        let computations = Computations(limit: .zero)
        await #expect(throws: Overtime.self) {
            try await computations.run(for: party(1)) { deadline in
                while true { try deadline.check() }
            }
        }
        let next = try await computations.run(for: party(2)) { _ in 1 }
        #expect(next == 1)
    }

    @Test func `Places at a limit of party, address or all are refused until one leaves`() throws {
        let places = Places(.init(party: 2, address: 3, all: 4))
        let there = NetworkAddress("192.0.2.2")
        var taken = try (1...2).map { _ in try places.take(party(1), at: here) }
        #expect(throws: Refusal.self) { try places.take(party(1), at: there) }
        taken.append(try places.take(party(2), at: here))
        #expect(throws: Refusal.self) { try places.take(party(3), at: here) }
        taken.append(try places.take(party(3), at: there))
        #expect(throws: Refusal.self) { try places.take(party(4), at: there) }
        taken.removeFirst()
        _ = try places.take(party(4), at: there)
        #expect(Refusal.busy.status == .tooManyRequests && Refusal.busy.retryAfter != nil)
    }

    @Test func `Bytes of a party's uploads are bounded on arrival and freed once dropped`() throws {
        let places = Places(.init(party: 100, address: 150, all: 200))
        var waiting: [Places.Place] = []
        // Bytes that have not arrived take no room.
        for number in 0..<1_000 { waiting.append(try places.take(party(number), at: here, 0)) }
        try waiting[0].grow(by: 60)
        try waiting[0].grow(by: 40)
        #expect(throws: Refusal.self) { try waiting[0].grow(by: 1) }
        #expect(throws: Refusal.self) { try waiting[1].grow(by: 51) }
        try waiting[1].grow(by: 50)
        waiting.removeFirst()
        try waiting[1].grow(by: 100)
    }

    @Test func `All of a person's devices are one party`() throws {
        let secret = String(repeating: "A", count: 43)
        let phone = try #require(DeviceToken("ann.phone.\(secret)"))
        let laptop = try #require(DeviceToken("ann.laptop.\(secret)"))
        #expect(Party(.device(phone)) == Party(.device(laptop)))
        #expect(Party(.guest(1)) != Party(.guest(2)))
    }
}
