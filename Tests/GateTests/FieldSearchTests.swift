import Contract
import Gate
import Testing

/// Where another program keeps a number.
struct FieldSearchTests {
    private static let first: UInt32 = 0x8123_4567
    private static let second: UInt32 = 0x9234_5678

    /// - Returns: where it is, after these structures.
    private func place(_ structures: (number: UInt32, words: [UInt32])...) -> Int? {
        search(structures).place
    }

    private func search(_ structures: [(number: UInt32, words: [UInt32])]) -> FieldSearch {
        var search = FieldSearch()
        for (number, words) in structures { search.look(for: number, in: words) }
        return search
    }

    @Test func `A search, two numbers at the same place, has found it`() {
        #expect(place((Self.first, [7, 3, Self.first]), (Self.second, [7, 4, Self.second])) == 2)
    }

    @Test func `A search, one number however often, is not certain`() {
        let structure = (Self.first, [7, 3, Self.first])
        #expect(place(structure, structure, structure) == nil)
    }

    @Test func `A search, a copy of the number elsewhere, goes on until one place is left`() {
        let both = (Self.first, [Self.first, 3, Self.first])
        let again = (Self.second, [Self.second, 3, Self.second])
        #expect(place(both, again) == nil)
        #expect(place(both, again, (Self.first, [Self.first, 3, 9])) == 0)
    }

    @Test func `A search, a structure without its number or without anything, keeps what it found`()
    {
        #expect(
            place(
                (Self.first, [1, Self.first]), (Self.second, [1, Self.second]),
                (Self.first, [1, 2]),
                (Self.first, [])) == 1)
    }

    @Test func `A search, a number at another place, begins again`() {
        let found: [(UInt32, [UInt32])] = [
            (Self.first, [1, Self.first]), (Self.second, [1, Self.second]),
        ]
        #expect(search(found + [(Self.first, [Self.first, 1])]).place == nil)
        let moved = search(
            found + [(Self.first, [Self.first, 1]), (Self.second, [Self.second, 1])])
        #expect(moved.place == 0)
    }

    @Test func `A search, structures that show nothing, is in vain after four, and not for ever`() {
        let nothing = (Self.first, [1, 2] as [UInt32])
        #expect(!search(Array(repeating: nothing, count: 3)).isInVain)
        #expect(search(Array(repeating: nothing, count: 4)).isInVain)
        let later = [(Self.first, [1, Self.first]), (Self.second, [1, Self.second])]
        #expect(!search(Array(repeating: nothing, count: 4) + later).isInVain)
    }

    @Test func `The bridge's connections, announce numbers that differ and bound nothing`() {
        let ids = ["requests", "stream", "calls", "reader", "status"].map { "kith:bridge.\($0)" }
        let numbers = Set(ids.map { BridgePacketMaximum.announced(by: $0) })
        #expect(numbers.count == ids.count)
        #expect(numbers.allSatisfy { $0 > 268_435_460 })
    }
}
