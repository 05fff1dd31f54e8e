import Contract
import JSON
import Store
import Tracking

/// Warns those whose vital signs are watched before nobody watches them: 48 hours before and one hour
/// before, each once; at once if that is later already.
final class Maintenance: AreaHandler {
    typealias State = MaintenanceState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["maintenance-warnings"]

    /// How long before the beginning each warning is given.
    private static let leads = [Duration.seconds(48 * 3_600), .seconds(3_600)]

    func announce(from: Timestamp, to: Timestamp, _ text: MaintenanceText) throws(Refused)
        -> [UInt8]
    {
        guard to > now, to > from else {
            throw .problem(
                Problem(
                    invalid: [
                        .init(field: "to", reason: "must be after the beginning, and to come")
                    ]))
        }
        guard state.announced.count < BridgeSettings.maximumMaintenances else {
            let limit = BridgeSettings.maximumMaintenances
            throw .problem(Problem(.tooMany, "At most \(limit) are announced at the same time."))
        }
        // If it is time for the second warning, there is no first one.
        let first = now >= from - Maintenance.leads[1] ? 1 : 0
        let due = from - Maintenance.leads[first]
        let maintenance = MaintenanceRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), from: from, to: to,
            text: text.text, isLate: due < now, warnings: first, nextAt: max(due, now))
        try stored { transaction throws(StoreError) in try transaction.save(maintenance) }
        state.set(maintenance)
        return JSONWriter.object { json in
            json.key("maintenance")
            json.string(maintenance.id.description)
        }
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(MaintenanceState.self).announced.values.compactMap(\.nextAt).min()
    }

    func finish(_ people: [Person]) throws(StoreError) {
        for maintenance in state.announced.values.sorted(by: { $0.id < $1.id }) {
            guard let next = maintenance.nextAt, next <= now else { continue }
            try warn(of: maintenance)
        }
    }

    /// Gives the next people the present warning.
    private func warn(of known: MaintenanceRow) throws(StoreError) {
        var maintenance = known
        let users = try transaction.watchedUsers(
            after: known.toldThrough, limit: Maintenance.warnedAtATime)
        for user in users {
            guard let person = memory.people[user] else { continue }
            count("maintenance-warnings")
            try areas.notices.add(
                .maintenance(
                    from: known.from, to: known.to, text: known.text,
                    isLast: known.warnings + 1 == Maintenance.leads.count, isLate: known.isLate),
                for: person)
        }
        maintenance.toldThrough = users.last ?? known.toldThrough
        if users.count < Maintenance.warnedAtATime {
            maintenance.warnings += 1
            maintenance.toldThrough = UserID(rawValue: 0)
            maintenance.isLate = false
            maintenance.nextAt =
                maintenance.warnings < Maintenance.leads.count
                ? max(known.from - Maintenance.leads[maintenance.warnings], now) : nil
        }
        try transaction.save(maintenance)
        state.set(maintenance)
    }

    /// The people who are warned in one turn.
    private static let warnedAtATime = 100

    func sweep(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool {
        for maintenance in state.announced.values where maintenance.to <= sweep.startedAt {
            try transaction.deleteMaintenance(maintenance.id)
            state.remove(maintenance.id)
        }
        return false
    }
}
