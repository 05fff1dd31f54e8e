import Contract
import JSON
import Store
import Tracking

/// Warns users whose vital signs are monitored before monitoring stops: 48 hours and one hour
/// before, once each; immediately if a warning is overdue, if an announced time is moved or
/// cancelled, and if a user's monitoring began after the others were warned.
final class Maintenance: AreaHandler {
    typealias State = MaintenanceState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["maintenance-warnings"]

    /// The lead time of each warning.
    private static let leads = [Duration.seconds(48 * 3_600), .seconds(3_600)]

    func perform(_ command: MaintenanceOperatorCommand) throws -> [UInt8] {
        switch command {
        case .announce(let from, let to, let text): try announce(from: from, to: to, text)
        case .move(let id, let from, let to, let text): try move(id, from: from, to: to, text)
        case .cancel(let id): try cancel(id)
        case .list: list()
        }
    }

    private func announce(from: Timestamp, to: Timestamp, _ text: MaintenanceText) throws -> [UInt8]
    {
        try check(from, to)
        guard state.announced.count < BridgeSettings.maximumMaintenances else {
            let limit = BridgeSettings.maximumMaintenances
            throw Problem(.tooMany, "At most \(limit) can be announced at the same time.")
        }
        var maintenance = MaintenanceRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), from: from, to: to,
            text: text.text, isLate: false, warnings: 0, nextAt: nil)
        schedule(&maintenance)
        try save(maintenance)
        return JSONWriter.object { json in
            json.key("maintenance")
            json.string(maintenance.id.description)
        }
    }

    /// Moves a maintenance; everyone who was warned, or is being warned, immediately learns the new
    /// time.
    ///
    /// - Parameters:
    ///   - from: nil to leave it unchanged; the same for `to` and `text`.
    private func move(_ id: UUIDv7, from: Timestamp?, to: Timestamp?, _ text: MaintenanceText?)
        throws -> [UInt8]
    {
        var maintenance = try announced(id)
        try check(from ?? maintenance.from, to ?? maintenance.to)
        let wasTold = maintenance.wasTold
        (maintenance.from, maintenance.to) = (from ?? maintenance.from, to ?? maintenance.to)
        maintenance.text = text?.text ?? maintenance.text
        maintenance.toldThrough = UserID(rawValue: 0)
        schedule(&maintenance)
        if wasTold {
            maintenance.change = .moved
            maintenance.nextAt = now
        }
        try save(maintenance)
        return Array("{}".utf8)
    }

    private func cancel(_ id: UUIDv7) throws -> [UInt8] {
        var maintenance = try announced(id)
        if maintenance.wasTold {
            maintenance.change = .cancelled
            maintenance.toldThrough = UserID(rawValue: 0)
            maintenance.nextAt = now
            try save(maintenance)
        } else {
            try remove(id)
        }
        return Array("{}".utf8)
    }

    private func list() -> [UInt8] {
        JSONWriter.object { json in
            json.key("maintenances")
            json.array(state.inOrder.filter { $0.change != .cancelled }) { json, maintenance in
                json.object { json in
                    json.key("maintenance")
                    json.string(maintenance.id.description)
                    json.key("from")
                    json.time(maintenance.from)
                    json.key("to")
                    json.time(maintenance.to)
                    json.key("text")
                    json.string(maintenance.text)
                }
            }
        }
    }

    private func announced(_ id: UUIDv7) throws -> MaintenanceRow {
        guard let known = state.announced[id], known.change != .cancelled, known.to > now else {
            throw Problem(invalid: [
                .init(field: "maintenance", reason: "is not announced, or is over")
            ])
        }
        return known
    }

    private func check(_ from: Timestamp, _ to: Timestamp) throws {
        guard to > now, to > from else {
            throw Problem(invalid: [
                .init(field: "to", reason: "must be after the beginning and in the future")
            ])
        }
    }

    /// Schedules the next warning; the first one is skipped if the second one is due.
    private func schedule(_ maintenance: inout MaintenanceRow) {
        maintenance.warnings = now >= maintenance.from - Maintenance.leads[1] ? 1 : 0
        let due = maintenance.from - Maintenance.leads[maintenance.warnings]
        maintenance.isLate = due < now
        maintenance.nextAt = max(due, now)
    }

    private func save(_ maintenance: MaintenanceRow) throws {
        try transaction.save(maintenance)
        state.set(maintenance)
    }

    private func remove(_ id: UUIDv7) throws {
        try transaction.deleteMaintenance(id)
        state.remove(id)
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(MaintenanceState.self).announced.values.compactMap(\.nextAt).min()
    }

    func finish(_ people: [Person]) throws {
        for maintenance in state.inOrder {
            guard let next = maintenance.nextAt, next <= now else { continue }
            try warn(of: maintenance)
        }
    }

    /// Sends the current warning to the next people.
    private func warn(of known: MaintenanceRow) throws {
        var maintenance = known
        let users = try transaction.watchedUsers(
            after: known.toldThrough, limit: Maintenance.warnedAtATime)
        for user in users {
            guard let person = memory.people[user] else { continue }
            try warn(person, of: known, isLast: known.warnings + 1 == Maintenance.leads.count)
        }
        maintenance.toldThrough = users.last ?? known.toldThrough
        if users.count < Maintenance.warnedAtATime {
            guard known.change != .cancelled else { return try remove(known.id) }
            maintenance.toldThrough = UserID(rawValue: 0)
            maintenance.change = nil
            // After a move to a distant day both warnings are due again.
            if known.change == .moved { schedule(&maintenance) }
            if let next = maintenance.nextAt, next <= now {
                maintenance.warnings += 1
                maintenance.isLate = false
                maintenance.nextAt =
                    maintenance.warnings < Maintenance.leads.count
                    ? max(known.from - Maintenance.leads[maintenance.warnings], now) : nil
            }
        }
        try transaction.save(maintenance)
        state.set(maintenance)
    }

    private func warn(_ person: Person, of maintenance: MaintenanceRow, isLast: Bool) throws {
        count("maintenance-warnings")
        let (from, to) = (maintenance.from, maintenance.to)
        guard maintenance.change != .cancelled else {
            return try areas.notices.add(.maintenanceCancelled(from: from, to: to), for: person)
        }
        try areas.notices.add(
            .maintenance(
                from: from, to: to, text: maintenance.text, isLast: isLast,
                isLate: maintenance.isLate, isMoved: maintenance.change == .moved),
            for: person)
    }

    /// Warns a user whose monitoring begins after the others were warned.
    func noteWatched(_ person: Person) throws {
        for maintenance in state.inOrder
        where maintenance.to > now && maintenance.change != .cancelled
            && maintenance.isTold(without: person.id, at: now)
        {
            try warn(
                person, of: maintenance, isLast: now >= maintenance.from - Maintenance.leads[1])
        }
    }

    /// The number of people warned per turn.
    private static let warnedAtATime = 100

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        for maintenance in state.inOrder where maintenance.to <= sweep.startedAt {
            try remove(maintenance.id)
        }
        return false
    }
}
