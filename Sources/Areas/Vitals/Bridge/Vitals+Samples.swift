import Contract
import JSON
import MQTT
import Sealing
import Store
import Tracking

extension Vitals {
    /// Ingests one sample or an array of them.
    func take(_ message: Message, from person: Person, _ device: Device) throws {
        try turn.hear(device, of: person)
        let samples: VitalsMessage
        do throws(Problem) {
            samples = try turn.read(from: device, person, mistimedAt: \.mistimedAt) {
                limits throws(Problem) in try read(message, limits)
            }
        } catch {
            return try turn.reject(message.topic, error)
        }
        try turn.noteClock(
            of: device, person, accepted: samples.samples.map(\.takenAt).max(),
            mistimed: samples.mistimedAt, arePositions: false)
        if let first = samples.refusals.flatMap(\.mistimed).min() {
            device.log.receipts.expect(first)
        }
        guard let keys = settings.sealingKeys, state.consents[person.id] != nil else {
            let problem = Problem(
                .noConsent, "Vital signs are only stored after you have agreed (vitals.consent).")
            let sequences = samples.samples.compactMap(\.sequence)
            return try turn.refuse(
                message, problem, sequences: sequences, from: person, device)
        }
        let isStored = turn.decisions.admits { person.budget.take(.vitals, at: now) }
        guard isStored else { return try putOff(samples, message, from: person, device) }
        var thinned: [Int64]?
        for sample in samples.samples {
            guard try !store(sample, from: person, device, keys) else { continue }
            thinned = (thinned ?? []) + [sample.sequence].compactMap(\.self)
        }
        if let thinned {
            try turn.refuse(
                message, turn.problem(ofUsedUp: .fixes), sequences: thinned, from: person, device)
        }
        for refusal in samples.refusals {
            try turn.refuse(
                message, refusal.problem, sequences: refusal.sequences, again: refusal.mistimed,
                from: person, device)
        }
        turn.tellLeftOut(samples.leftOut, of: message)
    }

    /// Evaluates the samples for a call for help without storing them: the person has exceeded the
    /// budget, which still allows one stored message per second. A device that numbers its samples
    /// sends them again.
    private func putOff(
        _ samples: VitalsMessage, _ message: Message, from person: Person, _ device: Device
    ) throws {
        for sample in samples.samples where !sample.kinds.isEmpty {
            try evaluate(sample, of: person)
        }
        count("vitals-put-off", samples.samples.count)
        let numbers = samples.samples.compactMap(\.sequence)
        if let first = numbers.min() { device.log.receipts.expect(first) }
        let problem = Problem(
            .tooMany, "Too much was sent to be stored now. Send it again in a few seconds.")
        try turn.refuse(
            message, problem, sequences: numbers, again: numbers, from: person, device)
    }

    /// Evaluates the samples for a call for help without storing them, because the disk is full.
    /// Without a receipt, a device that numbers its samples sends them again.
    func watch(_ message: Message, of user: Name) throws {
        guard let person = memory.account(user), person.kind == .person,
            state.consents[person.id] != nil
        else { return }
        let samples: [VitalSigns]
        do throws(Problem) {
            samples = try read(message, settings.limits).samples
        } catch {
            return
        }
        for sample in samples where !sample.kinds.isEmpty {
            try evaluate(sample, of: person)
        }
    }

    private func evaluate(_ sample: VitalSigns, of person: Person, isNew: Bool = false) throws {
        for area in areas.all { try area.received(sample, of: person, isNew: isNew) }
    }

    private func read(_ message: Message, _ limits: FixLimits) throws(Problem) -> VitalsMessage {
        var limits = limits
        limits.retention = settings.retention.vitals
        return try VitalsMessage(message.payload, receivedAt: now, limits)
    }

    /// Stores the new part of a sample: for one moment, a device reports each kind only once.
    ///
    /// - Returns: false if the day's quota is used up.
    private func store(
        _ sample: VitalSigns, from person: Person, _ device: Device, _ keys: SealingKeys
    ) throws -> Bool {
        guard !sample.kinds.isEmpty else {
            // There was no reading: the device is online, and nothing else is known.
            turn.noteSequence(sample.sequence, isNew: false, of: device, person)
            return true
        }
        if state.deleted[person.id]?.contains(sample.takenAt) == true {
            // It was queued on the device when its time range was deleted; it may still be
            // dangerous.
            turn.noteSequence(sample.sequence, isNew: false, of: device, person)
            count("vitals-repeated")
            try evaluate(sample, of: person)
            return true
        }
        let known = try transaction.kinds(of: device.id, at: sample.takenAt)
        let new = sample.kinds.subtracting(known)
        if !new.isEmpty, !person.usage.admits(.fixes, at: now) {
            // It may be dangerous, however much was sent today.
            try evaluate(sample.only(new), of: person)
            return false
        }
        turn.noteSequence(sample.sequence, isNew: !new.isEmpty, of: device, person)
        guard !new.isEmpty else {
            count("vitals-repeated")
            return true
        }
        let part = sample.only(new)
        state.last += 1
        look(at: Vitals.entriesOfSealing)
        let sealed = keys.seal(
            part.sealedContent, as: VitalsRow.context(device.id, sample.takenAt), using: &random)
        try transaction.insert(
            VitalsRow(id: state.last, user: person.id, device: device.id, part, sealed))
        count("vitals")
        noteUsage(.fixes, of: person)
        try evaluate(part, of: person, isNew: true)
        return true
    }

    /// The cost of encrypting a sample, in list entries.
    private static let entriesOfSealing = 20

    // MARK: Reading

    /// - Returns: nil if no key opens it.
    func opened(_ row: VitalsRow, of person: Person) -> (VitalSigns, Name)? {
        guard let device = person.devices.first(where: { $0.id == row.device }),
            let vitals = settings.sealingKeys.flatMap({ row.opened(with: $0) })
        else {
            count("vitals-unreadable")
            return nil
        }
        return (vitals, device.name)
    }

    func page(_ list: VitalsCommand.List, of person: Person) throws -> [UInt8] {
        let before: VitalsPlace? = try turn.place(list.before, in: "before", of: person)
        let count = list.every > .zero ? Vitals.rowsRead : list.limit
        // One more, to find out whether there is more.
        let rows = try transaction.vitals(
            of: person.id, from: list.from, to: list.to, before: before, limit: count + 1)
        var pace = SamplePace(every: list.every)
        var (items, size, last) = ([[UInt8]](), 0, VitalsPlace?.none)
        for row in rows.prefix(count) where size < Vitals.pageSize && items.count < list.limit {
            last = row.place
            guard pace.admits(row), let (vitals, device) = opened(row, of: person) else { continue }
            let item = JSONWriter.object { json in json.listed(vitals, device) }
            size += item.count
            items.append(item)
        }
        var next: String?
        if let last, last != rows.last?.place { next = try turn.cursor(last, for: person) }
        return JSONWriter.object { json in
            json.key("vitals")
            json.array(items) { $0.raw($1) }
            json.key("next")
            if let next {
                json.string(next)
            } else {
                json.null()
            }
            if let consent = state.consents[person.id] {
                json.key("consent")
                json.object(VitalsConsent.payload, consent)
            }
        }
    }

    /// The bytes after which a page ends; a sample has at most 400.
    private static let pageSize = 36_000
    /// The rows read if samples are thinned out.
    private static let rowsRead = 2_048

    // MARK: Keys

    /// Encrypts some samples again with the newest key that are encrypted with an older one.
    ///
    /// - Returns: whether there may be more.
    func sealAnew(atMost limit: Int) throws -> Bool {
        guard let keys = settings.sealingKeys else { return false }
        let rows = try transaction.vitals(
            sealedBefore: keys.newest, after: state.sealedThrough, limit: limit)
        for row in rows {
            state.sealedThrough = row.id
            let context = VitalsRow.context(row.device, row.takenAt)
            // A row that no key opens is left unchanged: its key may be restored.
            guard let content = keys.open(row.sealed, as: context) else { continue }
            try transaction.setSealed(
                keys.seal(content, as: context, using: &random), ofVitals: row.id)
        }
        if rows.count < limit { state.sealedThrough = 0 }
        return rows.count == limit
    }
}

/// Thins out samples, which are given newest first.
private struct SamplePace {
    let every: Duration
    private var last: [Kind: Timestamp] = [:]

    private struct Kind: Hashable {
        let device: DeviceID
        let kinds: VitalSigns.Kinds
    }

    init(every: Duration) { self.every = every }

    /// Whether the device took no sample of these kinds shortly after this one.
    mutating func admits(_ row: VitalsRow) -> Bool {
        guard every > .zero else { return true }
        let kind = Kind(device: row.device, kinds: row.kinds)
        if let last = last[kind], row.takenAt > last - every { return false }
        last[kind] = row.takenAt
        return true
    }
}
