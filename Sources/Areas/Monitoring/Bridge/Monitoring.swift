import Contract
import EarlyWarning
import Sealing
import Store
import Tracking

/// Monitors people's vital signs (`EarlyWarning`): asks whether they are all right, and calls for
/// help.
final class Monitoring: AreaHandler {
    typealias State = MonitoringState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: MonitoringState

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    func perform(
        _ command: MonitoringCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .subscribe(let phone, let groups):
            try subscribe(person, phone: phone, groups: groups)
        case .thresholds(let changes): try change(changes, of: person)
        case .get: break
        case .fine:
            try sayFine(person)
            return Array("{}".utf8)
        case .reactivate:
            guard try needsNoHelp(person) else {
                throw Problem(.notInNeed, "No help was called for you.")
            }
            return Array("{}".utf8)
        case .unsubscribe:
            _ = try monitored(person)
            try end(of: person)
            return Array("{}".utf8)
        }
        return describe(person)
    }

    static let counters = [
        "monitoring-evaluations", "monitoring-questions", "monitoring-questions-withdrawn",
        "monitoring-calls",
        "monitoring-silent", "monitors-unreadable",
    ]

    // MARK: Subscribing

    private func subscribe(_ person: Person, phone: String??, groups: [GroupKey]?) throws {
        guard settings.sealingKeys != nil, areas.vitals.state.consents[person.id] != nil else {
            throw Problem(
                .noConsent,
                "Vital signs can only be watched after you have agreed to have them stored "
                    + "(vitals.consent).")
        }
        var chosen: [GroupID]?
        if let groups { chosen = try self.groups(.some(groups), of: person).map(\.id).sorted() }
        let entry = state.people[person.id]
        if entry == nil {
            try transaction.beginMonitoringConsent(of: person.id, at: now)
            try areas.notices.add(.monitoring(.began), for: person)
            try areas.maintenance.noteWatched(person)
            noteUsage(.changes, of: person)
        }
        var new =
            entry
            ?? .init(
                since: now,
                monitored: Monitored(
                    monitor: Monitor(at: now), groups: person.memberships.map(\.group.id).sorted()))
        if let phone { new.monitored.phone = phone }
        if let chosen { new.monitored.groups = chosen }
        set(new, of: person)
        guard let entry, entry.monitored.groups != new.monitored.groups else { return }
        try tellOfChange(of: person)
    }

    private func tellOfChange(of person: Person) throws {
        noteUsage(.changes, of: person)
        try areas.notices.add(.monitoring(.changed), for: person)
    }

    /// Ends monitoring; calls already made are not cancelled.
    func vitalsEnded(of person: Person, hadConsented: Bool) throws {
        try end(of: person)
    }

    func end(of person: Person) throws {
        guard state.people[person.id] != nil else { return }
        try withdrawQuestion(to: person)
        try transaction.deleteMonitor(of: person.id)
        try transaction.endMonitoringConsent(of: person.id, at: now)
        state.remove(person.id)
        noteUsage(.changes, of: person)
        try areas.notices.add(.monitoring(.ended), for: person)
    }

    private func change(_ changes: [Parameter: OwnThreshold?], of person: Person) throws {
        var entry = try monitored(person)
        for (parameter, own) in changes { entry.monitored.thresholds[parameter] = own }
        set(entry, of: person)
        try tellOfChange(of: person)
    }

    /// Whether the person has been asked whether they are all right, and has not answered yet.
    func needs(_ person: Person) -> Bool {
        if case .asked = state.people[person.id]?.monitored.monitor.state { true } else { false }
    }

    private func describe(_ person: Person) -> [UInt8] {
        guard let entry = state.people[person.id] else { return Array(#"{"state":"off"}"#.utf8) }
        let score = entry.monitored.monitor.score(at: now, limits(of: entry.monitored))
        return MonitoringResult.watched.bytes(
            of: (entry.monitored, entry.since, score, alertedGroups(of: person).map(\.key)))
    }

    private func monitored(_ person: Person) throws -> State.Entry {
        guard let entry = state.people[person.id] else {
            throw Problem(.notMonitored, "Your vital signs are not watched (emergency.subscribe).")
        }
        return entry
    }

    private func limits(of monitored: Monitored) -> MonitoringLimits {
        var limits = settings.emergency.limits
        limits.own = monitored.thresholds
        return limits
    }

    func set(_ entry: State.Entry, of person: Person) {
        state.set(entry, of: person.id)
        if let due = entry.monitored.monitor.nextDue(after: now, limits(of: entry.monitored)) {
            state.timers.schedule(person.id, by: due)
        }
    }

    // MARK: Measurements

    /// Evaluates a person's vital signs, whether or not they are stored.
    func received(_ vitals: VitalSigns, of person: Person, isNew: Bool) throws {
        guard var entry = state.people[person.id] else { return }
        count("monitoring-evaluations")
        state.evaluatedAt = now
        let effects = entry.monitored.monitor.receive(
            vitals.readings,
            exertionAt: vitals.activity == .exercise
                ? vitals.takenAt : areas.runs.lastAdvance(of: person),
            at: now, limits(of: entry.monitored))
        set(entry, of: person)
        try apply(effects, to: person, entry.monitored)
    }

    /// Evaluates a person's movement, which explains a high pulse just as the watch's activity
    /// does.
    func moved(to fix: Fix, of person: Person) {
        guard var entry = state.people[person.id], fix.accuracy ?? 0 <= Monitoring.roughest else {
            return
        }
        let isExertion = state.movements[person.id, default: Movement()].move(
            to: fix.coordinate, at: fix.takenAt)
        guard isExertion else { return }
        entry.monitored.monitor.noteExertion(at: min(fix.takenAt, now))
        state.set(entry, of: person.id)
    }

    /// Metres: less accurate positions yield no speed.
    private static let roughest = 50.0

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(MonitoringState.self).timers.next
    }

    func finish(_ people: [Person]) throws {
        if state.unreadable > 0 { count("monitors-unreadable", state.unreadable) }
        state.unreadable = 0
        for user in state.timers.take(by: now, atMost: BridgeSettings.maximumTimers) {
            guard var entry = state.people[user], let person = memory.people[user] else { continue }
            // Questions already asked are not deferred, since help may be needed.
            if turn.isCatchingUp, case .watching = entry.monitored.monitor.state {
                state.timers.schedule(user, by: now + CatchUp.pause)
                continue
            }
            let before = entry.monitored.monitor
            let effects = entry.monitored.monitor.advance(to: now, limits(of: entry.monitored))
            if entry.monitored.monitor != before {
                set(entry, of: person)
            } else if let due = before.nextDue(after: now, limits(of: entry.monitored)) {
                state.timers.schedule(user, by: due)
            }
            try apply(effects, to: person, entry.monitored)
        }
        guard let keys = settings.sealingKeys else { return }
        for user in state.changed.sorted() {
            guard let entry = state.people[user] else { continue }
            let sealed = keys.seal(
                entry.monitored.stored, as: MonitorRow.context(user), using: &random)
            try transaction.save(MonitorRow(user: user, since: entry.since, sealed))
        }
        state.changed = []
    }

    func rescheduleAll() {
        for user in state.people.keys.sorted() { state.timers.schedule(user, by: now) }
    }

    private func apply(_ effects: [Monitor.Effect], to person: Person, _ monitored: Monitored)
        throws
    {
        for effect in effects {
            switch effect {
            case .ask(let score, let deadline):
                count("monitoring-questions")
                try areas.notices.add(
                    .areYouAllRight(until: deadline, reasons: score.reasons), for: person)
            case .withdraw:
                count("monitoring-questions-withdrawn")
                try withdrawQuestion(to: person)
                try areas.notices.add(.questionOver, for: person)
            case .call(let alarm):
                count("monitoring-calls")
                try withdrawQuestion(to: person)
                try areas.dispatch.open(alarm, for: person, phone: monitored.phone)
                try areas.emergencies.callInNeed(person, in: alertedGroups(of: person))
                try areas.notices.add(.helpCalled, for: person)
            case .tellOfSilence(let since, let groupsToo):
                count("monitoring-silent")
                try areas.notices.add(.vitalsSilent(since: since), for: person)
                if groupsToo {
                    try areas.emergencies.tell(alertedGroups(of: person), .vitalsSilent, of: person)
                }
            case .tellOfEndOfSilence(let groupsToo):
                try areas.notices.add(.vitalsBack, for: person)
                if groupsToo {
                    try areas.emergencies.tell(alertedGroups(of: person), .vitalsBack, of: person)
                }
            }
        }
    }

    // MARK: People's answers

    private func sayFine(_ person: Person) throws {
        var entry = try monitored(person)
        guard entry.monitored.monitor.answerFine(at: now, limits(of: entry.monitored)) else {
            throw Problem(.notAsked, "You have not been asked whether you are all right.")
        }
        set(entry, of: person)
        try withdrawQuestion(to: person)
    }

    /// Deletes pending deliveries of the question.
    private func withdrawQuestion(to person: Person) throws {
        try areas.notices.withdraw(.areYouAllRight, of: person)
    }

    /// Ends the need for help at the person's word: calls are cancelled, the SOS ends, and
    /// monitoring continues.
    ///
    /// - Returns: whether help had been called.
    func needsNoHelp(_ person: Person) throws -> Bool {
        var wasCalled = false
        if var entry = state.people[person.id],
            entry.monitored.monitor.reactivate(at: now, limits(of: entry.monitored))
        {
            wasCalled = true
            set(entry, of: person)
        }
        let hadIncident = try areas.dispatch.callOff(for: person)
        wasCalled = wasCalled || hadIncident
        if wasCalled, person.tracker.emergency?.cause == .vitalSigns {
            try areas.emergencies.endSOS(of: person)
        }
        return wasCalled
    }

    func sosStopped(by person: Person) throws { _ = try needsNoHelp(person) }

    func assisted(_ person: Person) {
        guard var entry = state.people[person.id],
            entry.monitored.monitor.noteAssistance(at: now)
        else { return }
        set(entry, of: person)
    }

    // MARK: Retention

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        try transaction.deleteMonitoringConsents(
            endedBefore: sweep.startedAt - settings.retention.incidents, atMost: limit) >= limit
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        state.remove(person.id)
    }

    var exported: [ExportSection] {
        [
            ExportSection("monitoring") { [self] (page, person, _: VitalsPlace?) in
                if let entry = state.people[person.id] {
                    page.add(
                        .monitoring(
                            entry.monitored, groups: alertedGroups(of: person).map(\.key),
                            since: entry.since))
                }
                page.next = nil
            }
        ]
    }
}
