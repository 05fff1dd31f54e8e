import Anonymity
import Contract
import Sealing
import Store
import Tracking

/// Summarizing an hour: rows are read in the order of arrival, from a little before the hour until
/// ``BridgeSettings/Cohorts/settling`` after it. Later arrivals are not counted.
extension CohortWork {
    func summarize(_ hour: Int, _ store: Store) throws -> [CohortOutcome] {
        let people = try store.transaction { Set(try $0.vitalsConsents().map(\.user)) }
        var sums = HourSums(hour, of: people)
        try readFixes(&sums, store)
        try readVitals(&sums, store)
        let summaries = sums.summaries
        var outcomes: [CohortOutcome] = []
        for start in stride(from: 0, to: summaries.count, by: Self.peopleAtATime) {
            let part = summaries[start..<min(start + Self.peopleAtATime, summaries.count)]
            outcomes.append(.summaries(Array(part), hour: hour, readAfter: askedAt))
        }
        return outcomes + [.complete(hour: hour)]
    }

    /// The people whose days are written per turn.
    private static let peopleAtATime = 100
    /// The rows read per transaction, so that the write-ahead log does not grow during the reading.
    private static let rowsAtATime = 5_000
    /// The maximum by which a device's clock may be ahead of the server's.
    private static let earliness = Duration.seconds(300)

    private func readFixes(_ sums: inout HourSums, _ store: Store) throws {
        var pauses: [UserID: [ClosedRange<FixID>]] = [:]
        var last = try start(.fixes, sums, store)
        while true {
            let rows = try store.transaction { transaction in
                let rows = try transaction.fixesArrived(after: last, limit: Self.rowsAtATime)
                for row in rows where sums.people.contains(row.user) && pauses[row.user] == nil {
                    pauses[row.user] = try transaction.pausedFixes(of: row.user, from: row.id)
                }
                return rows
            }
            for row in rows where row.receivedAt < sums.end + settings.settling {
                // Fixes that arrived during a pause are never shared.
                guard pauses[row.user]?.contains(where: { $0.contains(row.id) }) == false else {
                    continue
                }
                sums.add(row)
            }
            guard let end = rows.last, end.receivedAt < sums.end + settings.settling else { return }
            last = end.id.rawValue
        }
    }

    private func readVitals(_ sums: inout HourSums, _ store: Store) throws {
        var last = try start(.vitals, sums, store)
        while true {
            let rows = try store.transaction { transaction in
                try transaction.vitalsArrived(after: last, limit: Self.rowsAtATime)
            }
            for row in rows where row.receivedAt < sums.end + settings.settling {
                guard sums.people.contains(row.user), sums.contains(row.takenAt),
                    let vitals = row.opened(with: keys)
                else { continue }
                sums.add(vitals, of: row.user)
            }
            guard let end = rows.last, end.receivedAt < sums.end + settings.settling else { return }
            last = end.id
        }
    }

    private func start(_ kind: Transaction.Arrivals, _ sums: HourSums, _ store: Store)
        throws -> Int64
    {
        try store.transaction { try $0.lastArrival(of: kind, before: sums.start - Self.earliness) }
    }
}

/// The sums of an hour.
struct HourSums {
    let start: Timestamp
    let end: Timestamp
    /// The people who consent to be counted.
    let people: Set<UserID>
    private var found: [UserID: Sums] = [:]

    private struct Sums {
        var values = Array(repeating: (sum: 0.0, count: 0), count: Quantity.allCases.count)
        var cell: Int64?
        var metres: Double?
        /// The person's last certain position.
        var anchor: Coordinate?
    }

    init(_ hour: Int, of people: Set<UserID>) {
        start = Timestamp(milliseconds: Int64(hour) * 3_600_000)
        end = start + .seconds(3_600)
        self.people = people
    }

    func contains(_ time: Timestamp) -> Bool { start <= time && time < end }

    mutating func add(_ vitals: VitalSigns, of user: UserID) {
        for quantity in VitalSigns.Quantity.allCases {
            guard let value = vitals[quantity], let place = Quantity(name: quantity.rawValue) else {
                continue
            }
            var sums = found[user] ?? Sums()
            sums.values[place.rawValue].sum += value
            sums.values[place.rawValue].count += 1
            found[user] = sums
        }
    }

    /// Adds a fix to the distance if it is further from the last position than its inaccuracy, so
    /// that a stationary person covers no distance, however much their positions jump.
    mutating func add(_ fix: Transaction.ArrivedFix) {
        guard let coordinate = fix.coordinate, contains(fix.takenAt),
            (fix.accuracy ?? 0) <= HourSums.usableAccuracy
        else { return }
        var sums = found[fix.user] ?? Sums()
        defer { found[fix.user] = sums }
        sums.cell = sums.cell ?? CohortCell(coordinate).number
        guard let anchor = sums.anchor else {
            (sums.anchor, sums.metres) = (coordinate, 0)
            return
        }
        let distance = coordinate.distance(to: anchor)
        guard distance > max(HourSums.leastStep, 2 * (fix.accuracy ?? 0)) else { return }
        sums.metres = (sums.metres ?? 0) + distance
        sums.anchor = coordinate
    }

    /// Metres.
    private static let usableAccuracy = 100.0
    private static let leastStep = 30.0

    var summaries: [(user: UserID, summary: HourSummary)] {
        found.sorted { $0.key < $1.key }.map { user, sums in
            var summary = HourSummary()
            for quantity in Quantity.vitals {
                let (sum, count) = sums.values[quantity.rawValue]
                if count > 0 { summary[quantity] = Float(sum / Double(count)) }
            }
            summary[.distance] = sums.metres.map { Float($0) }
            summary.cell = sums.cell
            return (user, summary)
        }
    }
}
