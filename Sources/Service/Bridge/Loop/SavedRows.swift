/// Which brokers have saved which outbox rows: a row is done once all brokers have saved it that
/// should.
struct SavedRows {
    /// Rows that not all brokers have saved yet.
    private var savedBy: [Int64: Set<Int>] = [:]
    private(set) var done: [Int64] = []
    private var awaited: Set<Int>

    init(awaiting brokers: Set<Int>) { awaited = brokers }

    /// The number of rows that are not done.
    var count: Int { savedBy.count }

    mutating func note(_ rows: [Int64], at broker: Int) {
        for row in rows {
            if awaited.count == 1, awaited.contains(broker) {
                done.append(row)
            } else {
                savedBy[row, default: []].insert(broker)
                if savedBy[row]?.isSuperset(of: awaited) == true { finish(row) }
            }
        }
    }

    /// Whether the broker has saved the row.
    func has(_ row: Int64, at broker: Int) -> Bool {
        savedBy[row]?.contains(broker) ?? done.contains(row)
    }

    /// - Parameter brokers: those that should save every row from now on.
    mutating func wait(for brokers: Set<Int>) {
        guard brokers != awaited else { return }
        awaited = brokers
        for (row, saved) in savedBy where saved.isSuperset(of: brokers) { finish(row) }
    }

    private mutating func finish(_ row: Int64) {
        savedBy[row] = nil
        done.append(row)
    }

    /// Forgets rows that have been deleted.
    mutating func forget(done count: Int) { done.removeFirst(count) }
}
