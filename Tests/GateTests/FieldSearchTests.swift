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

    @Test func `A search succeeds when two numbers agree on a place`() {
        #expect(place((Self.first, [7, 3, Self.first]), (Self.second, [7, 4, Self.second])) == 2)
    }

    @Test func `A search is not certain after repeats of one number`() {
        let structure = (Self.first, [7, 3, Self.first])
        #expect(place(structure, structure, structure) == nil)
    }

    @Test func `A search continues until a duplicated number has one place left`() {
        let both = (Self.first, [Self.first, 3, Self.first])
        let again = (Self.second, [Self.second, 3, Self.second])
        #expect(place(both, again) == nil)
        #expect(place(both, again, (Self.first, [Self.first, 3, 9])) == 0)
    }

    @Test func `A search keeps its result on an empty structure or one without the number`() {
        #expect(
            place(
                (Self.first, [1, Self.first]), (Self.second, [1, Self.second]),
                (Self.first, [1, 2]),
                (Self.first, [])) == 1)
    }

    @Test func `A search restarts when a number is at another place`() {
        let found: [(UInt32, [UInt32])] = [
            (Self.first, [1, Self.first]), (Self.second, [1, Self.second]),
        ]
        #expect(search(found + [(Self.first, [Self.first, 1])]).place == nil)
        let moved = search(
            found + [(Self.first, [Self.first, 1]), (Self.second, [Self.second, 1])])
        #expect(moved.place == 0)
    }

    @Test func `A search is in vain after four useless structures, but can recover`() {
        let nothing = (Self.first, [1, 2] as [UInt32])
        #expect(!search(Array(repeating: nothing, count: 3)).isInVain)
        #expect(search(Array(repeating: nothing, count: 4)).isInVain)
        let later = [(Self.first, [1, Self.first]), (Self.second, [1, Self.second])]
        #expect(!search(Array(repeating: nothing, count: 4) + later).isInVain)
    }

    @Test func `The bridge's connections announce distinct numbers that bound nothing`() {
        let ids = ["requests", "stream", "calls", "reader", "status"].map { "kith:bridge.\($0)" }
        let numbers = Set(ids.map { BridgePacketMaximum.announced(by: $0) })
        #expect(numbers.count == ids.count)
        #expect(numbers.allSatisfy { $0 > 268_435_460 })
    }
}
