import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Handles one fix or an array of them: the hot path.
    func takeFixes(_ message: Message, from person: Person, _ device: Device) throws {
        let fixes: FixMessage
        do throws(Problem) {
            fixes = try read(from: device, person, mistimedAt: \.mistimedAt) {
                limits throws(Problem) in
                try FixMessage(message.payload, receivedAt: now, limits)
            }
        } catch {
            try hear(device, of: person)
            return try reject(message.topic, error)
        }
        if let first = fixes.refusals.flatMap(\.mistimed).min() {
            device.log.receipts.expect(first)
        }
        var (hasNews, isThinned) = (false, false)
        var thinned: [Int64] = []
        for fix in fixes.fixes {
            switch try take(fix, from: person, device) {
            case .stored: hasNews = true
            case .known: break
            case .overQuota:
                isThinned = true
                if let sequence = fix.sequence { thinned.append(sequence) }
            }
        }
        // A message without news is also a sign of life.
        if !hasNews { try hear(device, of: person) }
        if isThinned {
            try refuse(
                message, problem(ofUsedUp: .fixes), sequences: thinned, from: person, device)
        }
        for refusal in fixes.refusals {
            try refuse(
                message, refusal.problem, sequences: refusal.sequences, again: refusal.mistimed,
                from: person, device)
        }
        tellLeftOut(fixes.leftOut, of: message)
        if fixes.mistimedAt != nil || watchesClocks || device.log.clock.isInDoubt {
            try noteClock(
                of: device, person, accepted: fixes.fixes.map(\.takenAt).max(),
                mistimed: fixes.mistimedAt)
        }
    }

    /// Refuses samples of a device and marks them as final, except for those that may be resent.
    func refuse(
        _ message: Message, _ problem: Problem, sequences: [Int64], again: [Int64] = [],
        from person: Person, _ device: Device
    ) throws {
        try reject(message.topic, problem, sequences: sequences, again: again)
        guard !sequences.isEmpty else { return }
        for sequence in Set(sequences).subtracting(again).sorted() {
            device.log.receipts.note(sequence, isNew: false, at: now)
        }
        note(.save, person)
        devicesToReceipt[device.id] = (person, device)
    }

    /// Records the number of a sample that is not a fix, and so is not restored at the next start.
    func noteSequence(_ sequence: Int64?, isNew: Bool, of device: Device, _ person: Person) {
        guard let sequence else { return }
        let before = device.log.receipts
        device.log.receipts.note(sequence, isNew: isNew, at: now)
        devicesToReceipt[device.id] = (person, device)
        if device.log.receipts != before { note(.save, person) }
    }

    /// The outcome of storing a fix.
    enum FixOutcome {
        case stored(FixRow)
        /// It was stored before.
        case known
        /// The day's quota is used up, and another fix was stored a short time ago.
        case overQuota

        var row: FixRow? {
            if case .stored(let row) = self { row } else { nil }
        }
    }

    /// Stores a fix if it is new, and has the core evaluate it.
    ///
    /// - Parameter isUrgent: whether the fix belongs to a call for help; then it is stored
    ///   regardless of the quota.
    @discardableResult
    func take(_ fix: Fix, from person: Person, _ device: Device, isUrgent: Bool = false)
        throws -> FixOutcome
    {
        let taking = try store(fix, from: person, device, isUrgent: isUrgent)
        if let row = taking.row { try receive(row, from: person) }
        return taking
    }

    /// Has the core evaluate a fix that was just stored.
    func receive(_ row: FixRow, from person: Person) throws {
        let effects = person.tracker.receive(row.fix, from: row.device, at: now, settings.rules)
        try apply(effects, of: row, to: person)
    }

    /// Stores a fix if it is new, without passing it to the core.
    func store(_ fix: Fix, from person: Person, _ device: Device, isUrgent: Bool)
        throws -> FixOutcome
    {
        if person.tracker.storesNothing, !isUrgent {
            drop(fix, from: person, device)
            return .known
        }
        let isNew = try isNew(fix, device)
        if isNew, !isUrgent, !person.usage.admits(.fixes, at: now) { return .overQuota }
        if let sequence = fix.sequence {
            let before = device.log.receipts
            device.log.receipts.note(sequence, isNew: isNew, at: now)
            devicesToReceipt[device.id] = (person, device)
            // No stored fix will restore this number at the next start.
            if !isNew, device.log.receipts != before { note(.save, person) }
        }
        guard isNew else {
            count("fixes-repeated")
            return .known
        }
        memory.lastFix.rawValue += 1
        let row = FixRow(id: memory.lastFix, device: device.id, fix: fix)
        try transaction.insert(fix, as: row.id, of: device.id, after: device.log.last)
        if let chunk = device.log.note(fix, as: row.id) { try transaction.insert(chunk) }
        memory.noteUnsaved(person, row.id)
        count("fixes")
        noteUsage(.fixes, of: person)
        for area in areas.all { try area.stored(row, of: person) }
        return .stored(row)
    }

    /// Carries out the core's decision on a fix that was just stored. If replaying the fix at the
    /// next start would not reproduce it, the tracker is saved.
    func apply(_ effects: [Effect], of row: FixRow, to person: Person) throws {
        for effect in effects { try apply(effect, to: person, newFix: row) }
        if person.tracker.latest == row.fix {
            for area in areas.all { try area.moved(to: row.fix, of: person) }
        }
        let isReplayable = effects.allSatisfy(\.isReplayable)
        if !isReplayable || person.unsavedFixes >= Memory.mostUnsavedFixes { note(.save, person) }
        scheduleIfNeeded(person, isOrdinary: !effects.contains(where: \.mayHasten))
    }

    /// Drops the fix of a person who wants nothing stored. It is acknowledged to the device as
    /// final.
    private func drop(_ fix: Fix, from person: Person, _ device: Device) {
        count("fixes-dropped")
        guard let sequence = fix.sequence else { return }
        device.log.receipts.note(sequence, isNew: false, at: now)
        devicesToReceipt[device.id] = (person, device)
        note(.save, person)
    }

    /// An ordinary fix only postpones due times, unless the device began to report more often.
    private func scheduleIfNeeded(_ person: Person, isOrdinary: Bool) {
        if isOrdinary, let scheduled = person.scheduled,
            scheduled <= now + settings.rules.offlineAfter
        {
            return
        }
        note(.schedule, person)
    }

    private func isNew(_ fix: Fix, _ device: Device) throws -> Bool {
        switch device.log.novelty(of: fix.takenAt) {
        case .new: true
        case .known: false
        case .uncertain: try !transaction.knows(fix.takenAt, device.log)
        }
    }

    /// Records a sign of life of the device, which any message is.
    func hear(_ device: Device, of person: Person) throws {
        try apply(person.tracker.hear(device.id, at: now), to: person)
    }

    /// Handles a status message: `online`, or `offline` as the last will.
    func takeStatus(_ message: Message, from person: Person, _ device: Device) throws {
        switch String(decoding: message.payload, as: UTF8.self) {
        case "online" where message.retain && authentication.connections.hasGate:
            break  // It may be old; the gate reports who is connected now.
        case "online":
            try apply(person.tracker.connect(device.id, at: now), to: person)
        case "offline":
            try apply(person.tracker.disconnect(device.id, at: now), to: person)
        case "":
            break  // The retained message was cleared.
        default:
            try hear(device, of: person)
            try reject(
                message.topic,
                Problem(invalid: [.init(field: "payload", reason: "must be online or offline")]))
        }
    }
}
