internal import DequeModule
internal import MQTT

/// The rows of the outbox on their way to the broker: which have no answer, which the broker has
/// but may not have saved, and which may be what ends connections.
///
/// A broker ends the connection over a message that it takes for an error, and then the message
/// would be the first on every connection that follows. So what was under way when a connection
/// ended is suspected: on the next one such rows are sent one at a time, each alone, and all else
/// waits for so long. A row that was alone when a connection ended, too often for chance, is put
/// aside.
struct OutboxDelivery {
    private var underWay: [Connection.PublishID: Int64] = [:]
    /// What the broker has, in memory at least, and since when.
    private var confirmed: Deque<(row: Int64, at: Duration)> = []
    /// How often a row was the only one under way when a connection ended; none for those that
    /// never were under way then.
    private var breaks: [Int64: Int] = [:]
    /// Suspects that have not been sent on this connection, the least suspicious first.
    var suspects: Deque<Publication> = []
    private var isTrying = false
    /// Rows that are sent no more with the others, but now and then, alone: it may have been
    /// chance.
    private(set) var putAside: Set<Int64> = []
    private var lastRetried: Int64 = 0

    /// A broker that was killed now and then ended them as well.
    static let mostBreaks = 5

    /// How many rows have not left the outbox for good, those put aside left out.
    var count: Int { underWay.count + confirmed.count + suspects.count }
    /// Whether everything but what ``nextSuspect()`` gives has to wait.
    var isExclusive: Bool { isTrying || !suspects.isEmpty }

    // MARK: A connection begins

    /// - Parameters:
    ///   - publications: everything in the outbox, in its order.
    ///   - putAside: the rows among it that are put aside.
    /// - Returns: the suspects, and what goes before them.
    mutating func split(_ publications: [Publication], putAside: Set<Int64>)
        -> (others: [Publication], suspects: Deque<Publication>)
    {
        self.putAside = putAside
        var others: [Publication] = []
        var suspects: [(breaks: Int, row: Int64, publication: Publication)] = []
        for publication in publications {
            guard let row = publication.outboxRow, !putAside.contains(row) else { continue }
            if let breaks = breaks[row] {
                suspects.append((breaks, row, publication))
            } else {
                others.append(publication)
            }
        }
        suspects.sort { ($0.breaks, $0.row) < ($1.breaks, $1.row) }
        return (others, Deque(suspects.map(\.publication)))
    }

    /// The next row to be sent alone, when nothing else is under way.
    mutating func nextSuspect() -> Publication? {
        guard underWay.isEmpty else { return nil }
        let next = suspects.popFirst()
        isTrying = next != nil
        return next
    }

    /// Tries the next of those put aside once more, when nothing else is under way.
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

    mutating func confirm(_ id: Connection.PublishID, at now: Duration) {
        guard let row = underWay.removeValue(forKey: id) else { return }
        if underWay.isEmpty { isTrying = false }
        breaks[row] = nil
        putAside.remove(row)
        confirmed.append((row, now))
    }

    /// The broker has answered with a no.
    ///
    /// - Returns: the row that is to be put aside, if it is one.
    mutating func refuse(_ id: Connection.PublishID) -> Int64? {
        guard let row = underWay.removeValue(forKey: id) else { return nil }
        if underWay.isEmpty { isTrying = false }
        return row
    }

    mutating func notePutAside(_ rows: [Int64]) {
        for row in rows { breaks[row] = nil }
        putAside.formUnion(rows)
    }

    /// What the broker has had for so long that not even its end takes it away.
    ///
    /// - Parameter saving: how long that is.
    func saved(at now: Duration, after saving: Duration) -> [Int64] {
        confirmed.prefix { $0.at + saving <= now }.map(\.row)
    }

    mutating func forgetSaved(_ count: Int) { confirmed.removeFirst(count) }

    // MARK: The connection is gone

    /// - Parameter isSuspicious: whether the other end may have ended it because of what was sent.
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

    /// Rows that are to be put aside, for what was seen of them.
    var condemned: [Int64] {
        breaks.filter { $0.value >= OutboxDelivery.mostBreaks }.map(\.key).sorted()
    }
}
