internal import DequeModule
internal import MQTT

/// The outbox rows on their way to the broker: unacknowledged ones, those that the broker has but
/// may not have saved, and those that may cause connections to end.
///
/// A broker ends the connection over a message that it considers an error, and that message would
/// then be the first on every connection that follows. So the rows in flight when a connection
/// ended are suspects: on the next connection they are sent one at a time, and everything else
/// waits until that is done. A row that was alone in flight at too many connection ends to be
/// chance is put aside.
struct OutboxDelivery {
    private var underWay: [Connection.PublishID: Int64] = [:]
    /// Rows that the broker has, at least in memory, and since when.
    private var confirmed: Deque<(row: Int64, at: Duration)> = []
    /// The number of times that a row was the only one in flight when a connection ended; no entry
    /// for rows that never were in flight then.
    private var breaks: [Int64: Int] = [:]
    /// Suspects that have not been sent on this connection, the least suspicious first.
    var suspects: Deque<Publication> = []
    private var isTrying = false
    /// Rows that are no longer sent with the others, but retried alone now and then, as they may
    /// have been put aside by chance.
    private(set) var putAside: Set<Int64> = []
    private var lastRetried: Int64 = 0

    /// More than one, as a broker that is killed now and then also ends connections.
    static let mostBreaks = 5

    /// The number of rows still in the outbox, without those put aside.
    var count: Int { underWay.count + confirmed.count + suspects.count }
    /// Whether everything but what ``nextSuspect()`` returns has to wait.
    var isExclusive: Bool { isTrying || !suspects.isEmpty }

    // MARK: A connection begins

    /// - Parameters:
    ///   - publications: everything in the outbox, in its order.
    ///   - putAside: the rows among it that are put aside.
    ///   - byOthers: whether other brokers may be the reason: then they are tried here, alone.
    /// - Returns: the suspects, and the rows sent before them.
    mutating func split(
        _ publications: [Publication], putAside: Set<Int64>, byOthers: Bool = false
    ) -> (others: [Publication], suspects: Deque<Publication>) {
        if byOthers {
            for row in putAside.subtracting(self.putAside) { breaks[row] = breaks[row] ?? 0 }
            self.putAside.formIntersection(putAside)
        } else {
            self.putAside = putAside
        }
        var others: [Publication] = []
        var suspects: [(breaks: Int, row: Int64, publication: Publication)] = []
        for publication in publications {
            guard let row = publication.outboxRow, !self.putAside.contains(row) else { continue }
            if let breaks = breaks[row] {
                suspects.append((breaks, row, publication))
            } else {
                others.append(publication)
            }
        }
        suspects.sort { ($0.breaks, $0.row) < ($1.breaks, $1.row) }
        return (others, Deque(suspects.map(\.publication)))
    }

    /// Returns the next row to be sent alone, if nothing else is in flight.
    mutating func nextSuspect() -> Publication? {
        guard underWay.isEmpty else { return nil }
        let next = suspects.popFirst()
        isTrying = next != nil
        return next
    }

    /// Makes a suspect of the next row that was put aside, to try it once more.
    ///
    /// - Parameter publications: everything in the outbox, in its order.
    mutating func retry(_ publications: [Publication]) {
        let candidates = publications.filter { putAside.contains($0.outboxRow ?? 0) }
        guard
            let next = candidates.first(where: { $0.outboxRow ?? 0 > lastRetried })
                ?? candidates.first, let row = next.outboxRow
        else { return }
        lastRetried = row
        breaks[row] = OutboxDelivery.mostBreaks - 1
        suspects.append(next)
    }

    // MARK: One row

    mutating func note(_ id: Connection.PublishID, of row: Int64) { underWay[id] = row }

    /// - Returns: the row, if the message has one.
    mutating func confirm(_ id: Connection.PublishID, at now: Duration) -> Int64? {
        guard let row = underWay.removeValue(forKey: id) else { return nil }
        if underWay.isEmpty { isTrying = false }
        breaks[row] = nil
        putAside.remove(row)
        confirmed.append((row, now))
        return row
    }

    /// Handles the broker's rejection of a message.
    ///
    /// - Returns: the row to put aside, if the message has one.
    mutating func refuse(_ id: Connection.PublishID) -> Int64? {
        guard let row = underWay.removeValue(forKey: id) else { return nil }
        if underWay.isEmpty { isTrying = false }
        return row
    }

    mutating func notePutAside(_ rows: [Int64]) {
        for row in rows { breaks[row] = nil }
        putAside.formUnion(rows)
    }

    /// Takes the rows that the broker has had long enough to have saved, so that they would survive
    /// its end.
    ///
    /// - Parameter saving: how long that takes.
    mutating func takeSaved(at now: Duration, after saving: Duration) -> [Int64] {
        let rows = confirmed.prefix { $0.at + saving <= now }.map(\.row)
        confirmed.removeFirst(rows.count)
        return rows
    }

    // MARK: The connection is gone

    /// - Parameter isSuspicious: whether the broker may have closed it because of a message.
    mutating func lose(isSuspicious: Bool) {
        if isSuspicious {
            let isAlone = underWay.count == 1
            for row in underWay.values { breaks[row, default: 0] += isAlone ? 1 : 0 }
        }
        underWay = [:]
        confirmed = []
        suspects = []
        isTrying = false
    }

    /// The rows that are to be put aside because of their record.
    var condemned: [Int64] {
        breaks.filter { $0.value >= OutboxDelivery.mostBreaks }.map(\.key).sorted()
    }
}
