import Contract
import JSON
import Store
import Tracking

/// Services' reading of stored samples.
extension Services {
    func read(_ reading: ServiceCommand.Reading, by service: Person) throws -> [UInt8] {
        let row = row(of: service)
        let user = try consent(of: reading.user, to: service).user
        let before: SamplePlace? = try turn.place(reading.before, in: "cursor", of: service)
        var page = try page(of: user, row.data, reading, before ?? SamplePlace())
        let entry = try log(
            .read, of: user.id, by: row, page.seen, count: page.payloads.count, in: before?.entry)
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
        /// The number of its row.
        let number: Int64
        let payload: [UInt8]
    }

    /// The stored samples of one kind, the newest first.
    private struct Arrived {
        var samples: [Sample] = []
        /// Rows with lower numbers were not examined; nil if all were.
        var through: Int64?
    }

    private func page(
        of user: Person, _ data: SharedData, _ reading: ServiceCommand.Reading,
        _ before: SamplePlace
    ) throws -> Page {
        var fixes = data.contains(.positions) ? try fixes(of: user, reading, before.fix) : Arrived()
        var vitals =
            data.contains(.vitals) ? try vitals(of: user, reading, before.vitals) : Arrived()
        var (page, place, size) = (Page(), before, 0)
        // Each kind in its own order, so that a page begins where the previous one ended.
        while page.payloads.count < reading.limit, size < Services.pageSize {
            let (fix, vital) = (fixes.samples.first, vitals.samples.first)
            let isFix = fix.map { fix in vital.map { fix.arrived >= $0.arrived } ?? true } ?? false
            guard let sample = isFix ? fix : vital else { break }
            // Rows that were not examined may have arrived later.
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
        // If a kind has no samples left, the next page continues behind the rows examined.
        if fixes.samples.isEmpty { place.fix = fixes.through ?? place.fix }
        if vitals.samples.isEmpty { place.vitals = vitals.through ?? place.vitals }
        let isMore =
            !fixes.samples.isEmpty || !vitals.samples.isEmpty || fixes.through != nil
            || vitals.through != nil
        page.next = isMore ? place : nil
        return page
    }

    /// Returns fixes of all devices in order of arrival, without those that arrived during a pause
    /// or are deleted; their number is not revealed.
    private func fixes(
        of user: Person, _ reading: ServiceCommand.Reading, _ before: Int64?
    ) throws -> Arrived {
        let before = before.map { FixID(rawValue: $0) }
        let paused = try transaction.pausedFixes(of: user.id, from: FixID(rawValue: 0))
        var (rows, through) = ([FixRow](), FixID?.none)
        for device in user.devices {
            guard let last = device.log.last else { continue }
            // One more, to find out whether there is more.
            let found = try transaction.shownFixes(
                upTo: last, before: before, count: reading.limit + 1, hiding: paused)
            rows += found.rows
            through = [through, found.through].compactMap { $0 }.max()
        }
        // In order of arrival, so that nothing is left out between two pages.
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
    ) throws -> Arrived {
        var (samples, place) = ([Sample](), before)
        for _ in 0..<Services.vitalsRounds {
            let limit = reading.limit + 1 - samples.count
            let rows = try transaction.vitals(of: user.id, arrivedBefore: place, limit: limit)
            for row in rows {
                // Samples that no key can open are skipped.
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
        // A row beyond the limit shows that there is more, wherever the search ended.
        Arrived(
            samples: rows.prefix(limit + 1).map(sample), through: rows.count > limit ? nil : through
        )
    }

    /// The bytes after which a page ends; a sample has at most 400.
    private static let pageSize = 64_000
    /// The maximum number of searches for vital signs that can be opened, per page.
    private static let vitalsRounds = 8
}

extension JSONWriter {
    /// Writes a fix as services get it: without the device's numbers, which would reveal how many
    /// they do not get.
    mutating func serviceFix(_ fix: Fix) {
        object { $0.fixMembers(fix, isNumbered: false) }
    }
}
