import Contract
import JSON
import Store
import Tracking

/// What services read of what is stored.
extension Services {
    func read(_ reading: ServiceCommand.Reading, by service: Person) throws(Refused) -> [UInt8] {
        let row = row(of: service)
        let user = try consent(of: reading.user, to: service).user
        let before: SamplePlace? = try turn.place(reading.before, in: "cursor", of: service)
        var page = try page(of: user, row.data, reading, before ?? SamplePlace())
        let entry = try stored { _ throws(StoreError) in
            try log(
                .read, of: user.id, by: row, page.seen, count: page.payloads.count,
                in: before?.entry)
        }
        page.next?.entry = entry
        let next = try turn.cursor(page.next, for: service)
        count("samples-read", page.payloads.count)
        return JSONWriter.object { json in
            json.key("samples")
            json.array(page.payloads) { $0.raw($1) }
            json.key("next")
            if let next { json.string(next) } else { json.null() }
        }
    }

    private struct Page {
        var payloads: [[UInt8]] = []
        var seen: AccessEntry.Seen?
        /// Nil at the end.
        var next: SamplePlace?
    }

    private struct Sample {
        let arrived: Timestamp
        let taken: Timestamp
        /// Of its row.
        let number: Int64
        let payload: [UInt8]
    }

    /// What was found of one kind, the newest first.
    private struct Arrived {
        var samples: [Sample] = []
        /// Nothing with a lower number was looked at; nil: to the end.
        var through: Int64?
    }

    private func page(
        of user: Person, _ data: SharedData, _ reading: ServiceCommand.Reading,
        _ before: SamplePlace
    ) throws(Refused) -> Page {
        var fixes = data.contains(.positions) ? try fixes(of: user, reading, before.fix) : Arrived()
        var vitals =
            data.contains(.vitals) ? try vitals(of: user, reading, before.vitals) : Arrived()
        var (page, place, size) = (Page(), before, 0)
        // Each in its own order, so that a page begins where the one before has ended.
        while page.payloads.count < reading.limit, size < Services.pageSize {
            let (fix, vital) = (fixes.samples.first, vitals.samples.first)
            let isFix = fix.map { fix in vital.map { fix.arrived >= $0.arrived } ?? true } ?? false
            guard let sample = isFix ? fix : vital else { break }
            // What was not looked at may have arrived later.
            if isFix {
                guard !vitals.samples.isEmpty || vitals.through == nil else { break }
                fixes.samples.removeFirst()
                place.fix = sample.number
            } else {
                guard !fixes.samples.isEmpty || fixes.through == nil else { break }
                vitals.samples.removeFirst()
                place.vitals = sample.number
            }
            page.payloads.append(sample.payload)
            size += sample.payload.count
            let seen = AccessEntry.Seen(isFix ? .positions : .vitals, at: sample.taken)
            if page.seen?.add(seen) == nil { page.seen = seen }
        }
        // Where nothing was left to be shown, the next page goes on behind what was looked at.
        if fixes.samples.isEmpty { place.fix = fixes.through ?? place.fix }
        if vitals.samples.isEmpty { place.vitals = vitals.through ?? place.vitals }
        let isMore =
            !fixes.samples.isEmpty || !vitals.samples.isEmpty || fixes.through != nil
            || vitals.through != nil
        page.next = isMore ? place : nil
        return page
    }

    /// Fixes of all devices as they arrived, without those that came during a pause or are gone: how
    /// many there are of these does not show.
    private func fixes(
        of user: Person, _ reading: ServiceCommand.Reading, _ before: Int64?
    ) throws(Refused) -> Arrived {
        let before = before.map { FixID(rawValue: $0) }
        let paused = try stored { transaction throws(StoreError) in
            try transaction.pausedFixes(of: user.id, from: FixID(rawValue: 0))
        }
        var (rows, through) = ([FixRow](), FixID?.none)
        for device in user.devices {
            guard let last = device.log.last else { continue }
            // One more, to know whether there is more.
            let found = try stored { transaction throws(StoreError) in
                try transaction.shownFixes(
                    upTo: last, before: before, count: reading.limit + 1, hiding: paused)
            }
            rows += found.rows
            through = [through, found.through].compactMap { $0 }.max()
        }
        // As they arrived, so that nothing is left out between two pages.
        let samples = rows.filter { row in through.map { row.id >= $0 } ?? true }
            .sorted { $0.id > $1.id }
        return found(samples, through?.rawValue, atMost: reading.limit) { row in
            Sample(
                arrived: row.fix.receivedAt, taken: row.fix.takenAt, number: row.id.rawValue,
                payload: JSONWriter.value { $0.serviceFix(row.fix) })
        }
    }

    private func vitals(
        of user: Person, _ reading: ServiceCommand.Reading, _ before: Int64?
    ) throws(Refused) -> Arrived {
        var (samples, place) = ([Sample](), before)
        for _ in 0..<Services.vitalsRounds {
            let limit = reading.limit + 1 - samples.count
            let rows = try stored { transaction throws(StoreError) in
                try transaction.vitals(of: user.id, arrivedBefore: place, limit: limit)
            }
            for row in rows {
                // What no key opens any more is not there.
                guard let vitals = areas.vitals.opened(row, of: user)?.0 else { continue }
                samples.append(
                    Sample(
                        arrived: row.receivedAt, taken: row.takenAt, number: row.id,
                        payload: JSONWriter.value { $0.vitals(vitals, isNumbered: false) }))
            }
            place = rows.last?.id ?? place
            if rows.count < limit { return found(samples, nil, atMost: reading.limit) { $0 } }
            if samples.count > reading.limit { break }
        }
        return found(samples, place, atMost: reading.limit) { $0 }
    }

    /// - Parameter through: as in ``Arrived``.
    private func found<Row>(
        _ rows: [Row], _ through: Int64?, atMost limit: Int, _ sample: (Row) -> Sample
    ) -> Arrived {
        // With one more than asked for there is more, wherever looking ended.
        Arrived(
            samples: rows.prefix(limit + 1).map(sample), through: rows.count > limit ? nil : through
        )
    }

    /// The bytes after which a page ends; a sample has at most 400.
    private static let pageSize = 64_000
    /// How often it is looked for vital signs that can be opened, for one page.
    private static let vitalsRounds = 8
}

extension JSONWriter {
    /// A fix as services get it: the device's own numbers would tell how many they do not get.
    mutating func serviceFix(_ fix: Fix) {
        object { $0.fixMembers(fix, isNumbered: false) }
    }
}
