internal import DequeModule

/// Which brokers have saved which outbox rows. A row is done once all have saved it, or a while after
/// the first has: one that is away, behind or often restarted is not waited for any longer.
struct SavedRows {
    private let brokers: Int
    /// Rows that not all brokers have saved yet.
    private var savedBy: [Int64: Set<Int>] = [:]
    /// Rows that were not done when the first broker saved them, in this order.
    private var line: Deque<(row: Int64, since: Duration)> = []
    private(set) var done: [Int64] = []

    init(brokers: Int) { self.brokers = brokers }

    /// The number of rows that are not done.
    var count: Int { savedBy.count }

    mutating func note(_ rows: [Int64], at broker: Int, now: Duration) {
        for row in rows {
            if brokers == 1 {
                done.append(row)
            } else {
                if savedBy[row] == nil { line.append((row, now)) }
                savedBy[row, default: []].insert(broker)
                if savedBy[row]?.count == brokers { finish(row) }
            }
        }
    }

    /// Whether the broker has saved the row.
    func has(_ row: Int64, at broker: Int) -> Bool {
        savedBy[row]?.contains(broker) ?? done.contains(row)
    }

    /// Waits no more for rows that the first broker saved too long ago.
    mutating func giveUp(at now: Duration) {
        while let first = line.first {
            if savedBy[first.row] != nil {
                guard first.since + BridgeSettings.brokerPatience <= now else { return }
                finish(first.row)
            }
            line.removeFirst()
        }
    }

    private mutating func finish(_ row: Int64) {
        savedBy[row] = nil
        done.append(row)
    }

    /// Forgets rows that have been deleted.
    mutating func forget(done count: Int) { done.removeFirst(count) }
}
