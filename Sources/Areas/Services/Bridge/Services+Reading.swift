import Contract
import JSON
import Store
import Tracking

/// What services read of what is stored.
extension Services {
    func read(_ reading: ServiceCommand.Reading, by service: Person) throws(Refused) -> [UInt8] {
        let (user, row) = (try user(reading.user), row(of: service))
        _ = try consent(of: user, to: service)
        let before: SamplePlace? = try turn.place(reading.before, in: "cursor", of: service)
        let page = try samples(of: user, row.data, reading, before)
        let next = try turn.cursor(page.next, for: service)
        try stored { _ throws(StoreError) in
            try log(.read, of: user.id, by: row, count: page.payloads.count)
        }
        count("samples-read", page.payloads.count)
        return JSONWriter.object { json in
            json.key("samples")
            json.array(page.payloads) { $0.raw($1) }
            json.key("next")
            if let next { json.string(next) } else { json.null() }
        }
    }

    private struct Sample {
        let arrived: Timestamp
        let place: SamplePlace
        /// Nil for what cannot be shown any more.
        let payload: [UInt8]?
    }

    /// - Returns: `next` is nil at the end.
    private func samples(
        of user: Person, _ data: SharedData, _ reading: ServiceCommand.Reading,
        _ before: SamplePlace?
    ) throws(Refused) -> (payloads: [[UInt8]], next: SamplePlace?) {
        // One more of each, to know whether there is more.
        var fixes = data.contains(.positions) ? try fixes(of: user, reading, before?.fix)[...] : []
        var vitals =
            data.contains(.vitals) ? try vitals(of: user, reading, before?.vitals)[...] : []
        var (payloads, size, taken) = ([[UInt8]](), 0, 0)
        var place = before ?? SamplePlace()
        // Each in its own order, so that a page begins where the one before has ended.
        while taken < reading.limit, size < Services.pageSize {
            let isFix =
                fixes.first.map { fix in
                    vitals.first.map { fix.arrived >= $0.arrived } ?? true
                } ?? false
            guard let sample = isFix ? fixes.popFirst() : vitals.popFirst() else { break }
            taken += 1
            place.fix = sample.place.fix ?? place.fix
            place.vitals = sample.place.vitals ?? place.vitals
            guard let payload = sample.payload else { continue }
            payloads.append(payload)
            size += payload.count
        }
        return (payloads, fixes.isEmpty && vitals.isEmpty ? nil : place)
    }

    private func fixes(
        of user: Person, _ reading: ServiceCommand.Reading, _ before: Int64?
    ) throws(Refused) -> [Sample] {
        var rows: [FixRow] = []
        for device in user.devices {
            guard let last = device.log.last else { continue }
            rows += try stored { transaction throws(StoreError) in
                try transaction.fixes(
                    upTo: last, before: before.map { FixID(rawValue: $0) },
                    count: reading.limit + 1)
            }
        }
        // As they arrived, so that nothing is left out between two pages.
        rows = Array(rows.sorted { $0.id > $1.id }.prefix(reading.limit + 1))
        guard let oldest = rows.last?.id else { return [] }
        let paused = try stored { transaction throws(StoreError) in
            try transaction.pausedFixes(of: user.id, from: oldest)
        }
        return rows.map { row in
            let isHidden = row.isForgotten || paused.contains { $0.contains(row.id) }
            return Sample(
                arrived: row.fix.receivedAt, place: SamplePlace(fix: row.id.rawValue),
                payload: isHidden ? nil : JSONWriter.value { $0.fix(row.fix) })
        }
    }

    private func vitals(
        of user: Person, _ reading: ServiceCommand.Reading, _ before: VitalsPlace?
    ) throws(Refused) -> [Sample] {
        let rows = try stored { transaction throws(StoreError) in
            try transaction.vitals(
                of: user.id, from: nil, to: nil, before: before,
                limit: reading.limit + 1)
        }
        return rows.map { row in
            let vitals = areas.vitals.opened(row, of: user)?.0
            return Sample(
                arrived: row.receivedAt, place: SamplePlace(vitals: row.place),
                payload: vitals.map { vitals in JSONWriter.value { $0.vitals(vitals) } })
        }
    }

    /// The bytes after which a page ends; a sample has at most 400.
    private static let pageSize = 36_000
}
