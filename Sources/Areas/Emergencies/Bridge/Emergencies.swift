import Contract
import Store
import Tracking

/// Calls for help, and the alerts about people who may need it.
final class Emergencies: AreaHandler {
    unowned let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["calls"] + Alert.Kind.allCases.map { "alerts-\($0.rawValue)" }

    func perform(
        _ command: EmergencyCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .trigger(let fix, let refused):
            try callForHelp(person, device, fix, refused: refused, at: asker.calledAt)
        case .stop: try stopSOS(person)
        case .alerts(let group, let before, let limit):
            try listAlerts(of: group, before: before, limit: limit, by: person)
        case .acknowledge(let alert, let answer): try acknowledge(alert, answer, by: person)
        }
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        guard case .alert(let alert, let repetition) = effect else { return }
        try raise(alert, of: person, repetition: repetition)
    }

    func joined(_ member: Person, _ group: Group, by adder: Person?) throws {
        try noteNames(in: group)
    }

    /// Removes a leaving member from the group's helpers.
    func left(_ member: Person, _ group: Group, by remover: Person?) throws {
        for other in group.members where other !== member && other.isInSOS(in: group) {
            let effects = other.tracker.forgetResponses(
                of: member.id, in: group.id, settings.rules)
            try callOn(other, in: group, without: member)
            guard !effects.isEmpty else { continue }
            note([.save, .schedule], other)
            try turn.apply(effects, to: other)
            guard !other.tracker.isHelped(in: group.id) else { continue }
            try areas.channels.resume(callsOf: other, in: group)
        }
        try noteNames(in: group)
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let oldest = sweep.startedAt - settings.retention.alerts
        return try transaction.deleteAlerts(
            before: UUIDv7(at: oldest, random: (0, 0)), atMost: limit) >= limit
    }
}

extension Emergencies {
    /// Alerts all of the person's groups with one request, even if an end of the SOS is pending.
    ///
    /// - Parameters:
    ///   - refused: the error in the request's position, which does not prevent the SOS.
    ///   - time: when the broker received the request; nil if unknown.
    func callForHelp(
        _ person: Person, _ device: Device, _ fix: Fix?, refused: Problem? = nil,
        at time: Timestamp? = nil
    ) throws -> [UInt8] {
        if try withdrawPendingEnds(person) {
            if let fix {
                _ = try turn.take(fix, from: person, device, isUrgent: true)
            }
            try callAgain(person)
        } else {
            try beginSOS(
                person, device, fix, isClockWrong: fix != nil && refused != nil, at: time)
        }
        let isAlone = !person.hasOthers()
        return EmergencyResult.called.bytes(
            of: (isAlone, isAlone ? emergencyNumber(for: person) : nil, refused))
    }

    /// Returns the emergency number at the person's last position.
    private func emergencyNumber(for person: Person) -> String? {
        let place = person.tracker.latest?.coordinate
        return settings.emergency.dispatchAreas.area(at: place).number
    }

    private func advice(_ person: Person) -> String {
        emergencyNumber(for: person).map { " Call \($0)." } ?? ""
    }

    /// Withdraws the person's pending requests to end the SOS, so that no group sees it end.
    ///
    /// - Returns: whether the person is in an SOS of their own that was about to end.
    func withdrawPendingEnds(_ person: Person) throws -> Bool {
        let hadEnds = try turn.takeBackEnds(of: person)
        return hadEnds && person.tracker.hasCalled
    }

    /// Announces an ongoing SOS to the groups again, with a minimum pause: otherwise alternate ends
    /// and calls could have it announced endlessly.
    func callAgain(_ person: Person) throws {
        guard let emergency = person.tracker.emergency,
            now < emergency.calledAt || now >= emergency.calledAt + Emergencies.callPause
        else { return }
        turn.noteCallForHelp()
        try turn.apply(person.tracker.callAgain(at: now, settings.rules), to: person)
    }

    private static let callPause = Duration.seconds(10)

    /// - Parameters:
    ///   - fix: the person's position; it is stored even if they have no group to call.
    ///   - isClockWrong: whether the time of the call is that of its arrival.
    ///   - time: when the call was made; nil for now.
    /// - Returns: the outcome of the fix.
    @discardableResult
    func beginSOS(
        _ person: Person, _ device: Device, _ fix: Fix?, isClockWrong: Bool = false,
        at time: Timestamp? = nil
    ) throws -> Turn.FixOutcome? {
        guard !person.tracker.hasCalled else { throw Refusal.alreadyInSOS }
        let taking = try fix.map { try turn.store($0, from: person, device, isUrgent: true) }
        var effects: [Effect] = []
        do throws(Refusal) {
            try person.tracker.callForHelp(
                on: device.id, with: taking?.row?.fix, isClockWrong: isClockWrong, receivedAt: time,
                at: now, settings.rules, &effects)
        } catch {
            try turn.apply(effects, to: person)
            if let row = taking?.row { try turn.receive(row, from: person) }
            guard error == .notAMember else { throw error }
            let detail = "You are not in a group: no one was alerted.\(advice(person))"
            throw Problem(.notAMember, detail)
        }
        turn.noteCallForHelp()
        if let row = taking?.row {
            try turn.apply(effects, of: row, to: person)
        } else {
            try turn.apply(effects, to: person)
        }
        return taking
    }

    /// Ends the SOS because the person is safe; a call caused by their vital signs is cancelled
    /// with it.
    func stopSOS(_ person: Person) throws -> [UInt8] {
        try endSOS(of: person)
        for area in areas.all { try area.sosStopped(by: person) }
        return Array("{}".utf8)
    }

    func endSOS(of person: Person) throws {
        try turn.apply(try person.tracker.stopSOS(at: now), to: person)
    }
}
