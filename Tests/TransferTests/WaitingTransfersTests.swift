import Testing

@testable import Transfer

struct WaitingTransfersTests {
    private func waiting(atOnce: Int = 100, perHost: Int = 100, waiting: Int = 100)
        -> WaitingTransfers<String>
    {
        WaitingTransfers(TransferBounds(atOnce: atOnce, perHost: perHost, waiting: waiting))
    }

    private func add(
        to transfers: inout WaitingTransfers<String>, _ item: String, for host: String,
        _ lane: TransferLane
    ) -> Bool { transfers.add(item, to: host, lane) }

    private func begin(_ transfers: inout WaitingTransfers<String>) -> [String] {
        var begun: [String] = []
        while let next = transfers.next() { begun.append(next) }
        return begun
    }

    @Test func `Hosts take turns, each in its own order`() {
        var transfers = waiting()
        for number in 1...3 { #expect(add(to: &transfers, "a\(number)", for: "a", .ordinary)) }
        #expect(add(to: &transfers, "b1", for: "b", .ordinary))
        #expect(add(to: &transfers, "c1", for: "c", .ordinary))
        #expect(begin(&transfers) == ["a1", "b1", "c1", "a2", "a3"])
        #expect(begin(&transfers) == [])
    }

    @Test func `A host has a limited number of slots, and gets them back`() {
        var transfers = waiting(atOnce: 3, perHost: 2)
        for number in 1...4 { #expect(add(to: &transfers, "a\(number)", for: "a", .ordinary)) }
        #expect(begin(&transfers) == ["a1", "a2"])
        for number in 1...2 { #expect(add(to: &transfers, "b\(number)", for: "b", .ordinary)) }
        #expect(begin(&transfers) == ["b1"])
        transfers.finished("a", .ordinary)
        // b has waited in line since its first.
        #expect(begin(&transfers) == ["b2"])
        transfers.finished("b", .ordinary)
        #expect(begin(&transfers) == ["a3"])
        transfers.finished("b", .ordinary)
        transfers.finished("a", .ordinary)
        #expect(begin(&transfers) == ["a4"])
        // No transfer of b is running.
        transfers.finished("b", .ordinary)
        #expect(add(to: &transfers, "c1", for: "c", .ordinary))
        #expect(begin(&transfers) == ["c1"])
    }

    @Test func `Urgent transfers have slots of their own and go first`() {
        var transfers = waiting(atOnce: 2, perHost: 1, waiting: 3)
        for number in 1...3 { #expect(add(to: &transfers, "\(number)", for: "a", .ordinary)) }
        #expect(!add(to: &transfers, "4", for: "a", .ordinary))
        #expect(add(to: &transfers, "sos", for: "a", .urgent))
        #expect(begin(&transfers) == ["sos", "1"])
        transfers.finished("a", .urgent)
        #expect(begin(&transfers) == [])
        transfers.finished("a", .ordinary)
        #expect(begin(&transfers) == ["2"])
    }

    @Test func `A removed transfer frees its slot and is not begun`() {
        var transfers = waiting(atOnce: 2, perHost: 1, waiting: 4)
        for item in ["a1", "a2"] { #expect(add(to: &transfers, item, for: "a", .ordinary)) }
        for item in ["b1", "b2"] { #expect(add(to: &transfers, item, for: "b", .ordinary)) }
        let removed = transfers.removeAll { $0.hasPrefix("a") }
        #expect(removed.sorted() == ["a1", "a2"])
        let nothing = transfers.removeAll { $0.hasPrefix("a") }
        #expect(nothing == [])
        #expect(begin(&transfers) == ["b1"])
        for item in ["a3", "c1", "d1"] {
            #expect(add(to: &transfers, item, for: String(item.first!), .ordinary))
        }
        #expect(!add(to: &transfers, "e1", for: "e", .ordinary))
        #expect(begin(&transfers) == ["a3"])
    }

    @Test func `Ten thousand hosts are handled without delay`() {
        var transfers = waiting(atOnce: 100, perHost: 1, waiting: 10_000)
        for number in 0..<10_000 {
            #expect(add(to: &transfers, "\(number)", for: "\(number)", .ordinary))
        }
        var begun = begin(&transfers)
        var count = 0
        while let item = begun.popLast() {
            count += 1
            transfers.finished(item, .ordinary)
            begun += begin(&transfers)
        }
        #expect(count == 10_000)
    }
}
