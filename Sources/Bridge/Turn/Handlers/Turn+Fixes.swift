import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// The hot path: one Fix or an array of them.
    func takeFixes(_ message: Message, from person: Person, _ device: Device)
        throws(StoreError)
    {
        let fixes: FixMessage
        do throws(Problem) {
            fixes = try FixMessage(message.payload, receivedAt: now, settings.limits)
        } catch {
            try hear(device, of: person)
            return try reject(message.topic, error)
        }
        if let first = fixes.mistimedSequences.min() { device.log.receipts.expect(first) }
        var hasNews = false
        for fix in fixes.fixes where try take(fix, from: person, device) != nil { hasNews = true }
        // A message without news is a sign of life as well.
        if !hasNews { try hear(device, of: person) }
        guard let problem = fixes.problem else { return }
        try reject(
            message.topic, problem, sequences: fixes.refusedSequences,
            again: fixes.mistimedSequences)
        guard !fixes.refusedSequences.isEmpty else { return }
        for sequence in Set(fixes.refusedSequences).subtracting(fixes.mistimedSequences).sorted() {
            device.log.receipts.note(sequence, isNew: false, at: now)
        }
        note(.save, person)
        devicesToReceipt[device.id] = (person, device)
    }

    /// Stores a fix that is new, and lets the core decide what it means.
    ///
    /// - Returns: the stored fix; nil for one that was stored before.
    @discardableResult
    func take(_ fix: Fix, from person: Person, _ device: Device) throws(StoreError) -> FixRow? {
        let isNew = try isNew(fix, device)
        if let sequence = fix.sequence {
            let before = device.log.receipts
            device.log.receipts.note(sequence, isNew: isNew, at: now)
            devicesToReceipt[device.id] = (person, device)
            // Of this number no stored fix will tell.
            if !isNew, device.log.receipts != before { note(.save, person) }
        }
        guard isNew else {
            count("fixes-repeated")
            return nil
        }
        memory.lastFix.rawValue += 1
        let row = FixRow(id: memory.lastFix, device: device.id, fix: fix)
        try transaction.insert(fix, as: row.id, of: device.id, after: device.log.last)
        if let run = device.log.note(fix, as: row.id) { try transaction.insert(run) }
        memory.noteUnsaved(person, row.id)
        count("fixes")

        // What moves somebody, or brings them online, follows from the stored fix again at the
        // next start; anything else is saved.
        let effects = person.tracker.receive(fix, from: device.id, at: now, settings.rules)
        var (isReplayable, isOrdinary) = (true, true)
        for effect in effects {
            switch effect {
            case .memberChanged(_, urgent: false), .pathGrew, .segmentCompleted: break
            case .memberChanged(_, urgent: true), .presenceChanged: isOrdinary = false
            default: (isReplayable, isOrdinary) = (false, false)
            }
            try apply(effect, to: person, newFix: row)
        }
        if person.tracker.friendsSince != nil, person.tracker.latest == fix {
            note(.location, person)
        }
        if !isReplayable || person.unsavedFixes >= Memory.mostUnsavedFixes { note(.save, person) }
        scheduleIfNeeded(person, isOrdinary: isOrdinary)
        return row
    }

    /// An ordinary fix only moves away what is due, unless the device's rhythm became quicker.
    private func scheduleIfNeeded(_ person: Person, isOrdinary: Bool) {
        if isOrdinary, let scheduled = person.scheduled,
            scheduled <= now + settings.rules.offlineAfter
        {
            return
        }
        note(.schedule, person)
    }

    private func isNew(_ fix: Fix, _ device: Device) throws(StoreError) -> Bool {
        switch device.log.novelty(of: fix.takenAt) {
        case .new: true
        case .known: false
        case .uncertain: try !transaction.knows(fix.takenAt, device.log)
        }
    }

    /// Any message is a sign of life.
    func hear(_ device: Device, of person: Person) throws(StoreError) {
        try apply(person.tracker.hear(device.id, at: now), to: person)
    }

    /// `online`, or `offline` as the last will.
    func takeStatus(_ message: Message, from person: Person, _ device: Device)
        throws(StoreError)
    {
        switch String(decoding: message.payload, as: UTF8.self) {
        case "online" where message.retain && reception.connections.hasGate:
            break  // Kept since who knows when; the gate tells who is there now.
        case "online":
            try apply(person.tracker.connect(device.id, at: now), to: person)
        case "offline":
            try apply(person.tracker.disconnect(device.id, at: now), to: person)
        case "":
            break  // Somebody took the retained message away.
        default:
            try hear(device, of: person)
            try reject(
                message.topic,
                Problem(invalid: [.init(field: "payload", reason: "must be online or offline")]))
        }
    }
}
