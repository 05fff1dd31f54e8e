import Testing

@testable import Bridge

struct SortedListTests {
    @Test func `A sorted list matches a dictionary after random changes`() {
        var random = SystemRandomNumberGenerator()
        var (list, model) = (SortedList<Int, Int>([(9, 0), (3, 1)]), [9: 0, 3: 1])
        for step in 0..<500 {
            let key = Int.random(in: 0..<60, using: &random)
            if Bool.random(using: &random) {
                list.set(key, step)
                model[key] = step
            } else {
                list.remove(key)
                model[key] = nil
            }
            #expect(list[key] == model[key])
        }
        let sorted = model.sorted { $0.key < $1.key }
        #expect(list.entries.map(\.key) == sorted.map(\.key))
        #expect(list.entries.map(\.value) == sorted.map(\.value))
        for key in -1...60 {
            #expect(list.after(key).map(\.key) == sorted.map(\.key).filter { $0 > key })
        }
        #expect(list.after(nil).count == sorted.count)
    }
}
