import Contract
import JSON
import Store
import Tracking

/// Deleting a stretch of one's own positions: the times stay, so that a fix that comes again is
/// recognised.
extension Vitals {
    /// Deletes a bounded part of it, each device's newest first.
    func deletePositions(
        _ stretch: VitalsCommand.Stretch, from place: PositionPlace?, of person: Person
    ) throws(Refused) -> [UInt8] {
        var (deleted, chunksLeft, next) = (0, Vitals.chunksAtATime, PositionPlace?.none)
        for device in person.devices.sorted(by: { $0.id < $1.id }) where next == nil {
            let isBegun = place?.device == device.id.rawValue
            if let place, place.device > device.id.rawValue { continue }
            try stored { transaction throws(StoreError) in
                if !isBegun, let open = device.log.openChunk {
                    let rows = try transaction.fixes(upTo: open.last, count: open.count)
                    deleted += try forget(rows, stretch)
                }
                let chunks = try transaction.chunks(
                    of: device.id, before: isBegun ? place?.fix : nil, from: stretch.from,
                    to: stretch.to, limit: chunksLeft)
                for chunk in chunks {
                    let rows = try transaction.fixes(upTo: chunk.last, count: chunk.count)
                    deleted += try forget(rows, stretch)
                }
                chunksLeft -= chunks.count
                if chunksLeft == 0, let last = chunks.last {
                    next = PositionPlace(device: device.id.rawValue, fix: last.last.rawValue)
                }
            }
        }
        try stored { _ throws(StoreError) in
            try areas.cohorts.leave(person, .positions, from: stretch.from, to: stretch.to)
        }
        noteUsage(.changes, of: person)
        return JSONWriter.object { json in
            json.key("next")
            if let next { json.string(next.description) } else { json.null() }
            json.key("deleted")
            json.number(deleted)
        }
    }

    private func forget(_ rows: [FixRow], _ stretch: VitalsCommand.Stretch)
        throws(StoreError) -> Int
    {
        let meant = rows.filter { !$0.isForgotten && stretch.contains($0.fix.takenAt) }
        for row in meant { try transaction.forgetFix(row.id) }
        return meant.count
    }

    /// Of 32 fixes each.
    private static let chunksAtATime = 16
}
