/// What happened since the start, in numbers alone; published on the metrics topics.
struct Counters: Sendable {
    private(set) var values: [String: Int64] = [:]

    mutating func count(_ name: String, _ amount: Int = 1) {
        values[name, default: 0] += Int64(amount)
    }

    mutating func add(_ other: Counters) {
        values.merge(other.values) { $0 + $1 }
    }

    mutating func set(_ name: String, _ value: Int64) { values[name] = value }
}
