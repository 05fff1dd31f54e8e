import Contract
import MQTT
import Sealing
import Store
import Tracking

/// Measurements of wearables: stored encrypted, once, for people who have agreed to it.
final class Vitals: AreaHandler {
    typealias State = VitalsState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: VitalsCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .consent(let version): return try consent(version, by: person)
        case .profile(let change): return try profile(change, of: person)
        case .withdraw:
            try transaction.deleteHealthProfile(of: person.id)
            try transaction.endVitalsConsent(of: person.id, at: now)
            try delete(of: person, from: nil, to: nil)
            let hadConsented = state.consents[person.id] != nil
            for area in areas.all {
                try area.vitalsEnded(of: person, hadConsented: hadConsented)
            }
            state.consents[person.id] = nil
        case .list(let list): return try page(list, of: person)
        }
        noteUsage(.changes, of: person)
        return Array("{}".utf8)
    }

    func take(_ message: Message, _ topic: Topic) throws -> Bool {
        guard case .listed(.vitals, let names) = topic, let user = names.user,
            let device = names.device
        else { return false }
        if turn.isSparing {
            try watch(message, of: user)
            return true
        }
        guard let (person, device) = try turn.sender(message, user, device, using: .kith) else {
            return true
        }
        try take(message, from: person, device)
        return true
    }

    func finish(_ people: [Person]) throws {
        guard state.isDeleting, state.nextDeletion <= now else { return }
        state.isDeleting = try transaction.deleteVitals(atMost: Vitals.deletedAtATime)
        if !state.isDeleting { turn.noteDeletion() }
        state.nextDeletion = now + Vitals.deletionPause
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(VitalsState.self)
        return state.isDeleting ? state.nextDeletion : nil
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let hasOld = try transaction.deleteVitals(
            receivedBefore: sweep.startedAt - settings.retention.vitals, atMost: limit)
        let oldest = sweep.startedAt - settings.retention.vitals
        try transaction.forgetDeletedVitals(before: oldest)
        state.forgetDeleted(before: oldest)
        let hasUnsealed = try sealAnew(atMost: limit)
        let hasProfiles = try sealProfilesAnew(atMost: limit)
        return hasOld || hasUnsealed || hasProfiles
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        state.consents[person.id] = nil
        state.deleted[person.id] = nil
    }

    var exported: [ExportSection] {
        [
            ExportSection("profile") { [self] (page, person, _: VitalsPlace?) in
                if let profile = try healthProfile(of: person.id) {
                    page.add(.healthProfile(profile))
                }
                page.next = nil
            },
            ExportSection("vitals") { [self] (page, person, place: VitalsPlace?) in
                let rows = try transaction.vitals(
                    of: person.id, from: nil, to: nil, before: place, limit: ExportSection.rows)
                for row in rows {
                    guard page.hasRoom else { return }
                    if let (vitals, device) = opened(row, of: person) {
                        page.add(.vitals(vitals, device: device))
                    }
                    page.next = row.place
                }
                if rows.count < ExportSection.rows { page.next = nil }
            },
        ]
    }

    static let counters = ["vitals", "vitals-repeated", "vitals-put-off", "vitals-unreadable"]

    /// Rows that users have deleted, physically deleted per turn.
    private static let deletedAtATime = 1_000
    private static let deletionPause = Duration.milliseconds(50)
}

extension VitalsPlace: SeekKey { var text: String { description } }

// MARK: Consent

extension Vitals {
    func consent(_ version: String?, by person: Person) throws -> [UInt8] {
        guard settings.sealingKeys != nil else {
            throw Problem(.notAllowed, "This installation stores no vital signs.")
        }
        guard version == settings.accounts.termsVersion else {
            throw Problem(invalid: [
                .init(field: "version", reason: "is not that of the current privacy statement")
            ])
        }
        let known = state.consents[person.id]
        let consent =
            known?.version == version && known != nil
            ? known : VitalsConsent(at: now, version: version)
        guard let consent else { preconditionFailure("there is one") }
        if consent != known {
            try transaction.insert(consent, of: person.id)
            state.consents[person.id] = consent
            noteUsage(.changes, of: person)
        }
        return VitalsResult.consent.bytes(of: consent)
    }

    // MARK: Deletion

    func delete(_ stretch: HistoryCommand.Stretch, of person: Person) throws {
        try delete(of: person, from: stretch.from, to: stretch.to)
        for area in areas.all {
            try area.vitalsDeleted(of: person, from: stretch.from, to: stretch.to)
        }
        noteUsage(.changes, of: person)
    }

    private func delete(of person: Person, from: Timestamp?, to: Timestamp?) throws {
        try keepDeleted(of: person, from: from, to: to)
        try transaction.noteVitalsDeletion(
            of: person.id, from: from, to: to, below: state.last + 1)
        state.isDeleting = true
        state.nextDeletion = min(state.nextDeletion, now)
    }

    /// Records that measurements in a range until now are not accepted any more: they may be queued
    /// on a phone.
    private func keepDeleted(of person: Person, from: Timestamp?, to: Timestamp?) throws {
        // The device's clock may be ahead.
        let last = try transaction.lastVitals(of: person.id, before: to).map {
            max(now, $0 + .milliseconds(1))
        }
        let end = min(to ?? last ?? now, last ?? now)
        let start = max(from ?? now - settings.retention.vitals, now - settings.retention.vitals)
        guard start < end else { return }
        state.deleted[person.id, default: DeletedStretches()].insert(start..<end)
        try transaction.setDeletedVitals(
            state.deleted[person.id]?.stretches ?? [], of: person.id)
    }
}
