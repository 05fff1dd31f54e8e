import Contract
import JSON
import Store
import Tracking

/// Deleting a range of the user's own positions: the times of fixes stay, so that a fix that is
/// received again is recognised.
extension History {
    /// Deletes a bounded part of the range: fixes device by device, newest first, and finally
    /// imports.
    func deletePositions(
        _ stretch: HistoryCommand.Stretch, from place: PositionPlace?, of person: Person
    ) throws -> [UInt8] {
        var (deleted, next) = (0, PositionPlace?.none)
        if case .imported = place {
            (deleted, next) = try deleteImported(stretch, of: person)
        } else {
            (deleted, next) = try deleteFixes(stretch, from: place, of: person)
        }
        try areas.cohorts.leave(person, .positions, from: stretch.from, to: stretch.to)
        // With the first page.
        if place == nil {
            try areas.services.noteDeletion(
                of: .positions, from: stretch.from, to: stretch.to, by: person)
        }
        if deleted > 0 {
            turn.noteDeletion()
            areas.runs.takeAgain(person)
            try areas.geofences.forgetPresences(of: person)
        }
        noteUsage(.changes, of: person)
        let cursor = try turn.cursor(next, for: person)
        return JSONWriter.object { json in
            json.key("next")
            if let cursor { json.string(cursor) } else { json.null() }
            json.key("deleted")
            json.number(deleted)
        }
    }

    private func deleteFixes(
        _ stretch: HistoryCommand.Stretch, from place: PositionPlace?, of person: Person
    ) throws -> (Int, PositionPlace?) {
        var (deleted, chunksLeft) = (0, History.chunksAtATime)
        var (first, before) = (Int64(0), Int64?.none)
        if case .device(let device, let fix) = place { (first, before) = (device, fix) }
        for device in person.devices.sorted(by: { $0.id < $1.id }) {
            guard device.id.rawValue >= first else { continue }
            let fix = device.id.rawValue == first ? before : nil
            let chunks = try transaction.chunks(
                of: device.id, before: fix, from: stretch.from, to: stretch.to, limit: chunksLeft)
            var read = chunks
            if fix == nil, let open = device.log.openChunk { read.append((open.last, open.count)) }
            deleted += try forget(try transaction.fixes(in: read), stretch)
            chunksLeft -= chunks.count
            if chunksLeft == 0, let last = chunks.last {
                return (deleted, .device(device.id.rawValue, fix: last.last.rawValue))
            }
        }
        return (deleted, try firstImported(of: person, in: stretch))
    }

    private func forget(_ rows: [FixRow], _ stretch: HistoryCommand.Stretch) throws -> Int {
        let meant = rows.filter { !$0.isForgotten && stretch.contains($0.fix.takenAt) }
        try transaction.forgetFixes(meant.map(\.id))
        return meant.count
    }

    private func deleteImported(_ stretch: HistoryCommand.Stretch, of person: Person)
        throws -> (Int, PositionPlace?)
    {
        let rows = try transaction.importedPositions(
            of: person.id, from: stretch.from, to: stretch.to, limit: History.rowsAtATime)
        try transaction.delete(rows, of: person.id)
        let told = rows.count { $0.source != nil }
        return (told, rows.count < History.rowsAtATime ? nil : .imported(before: nil))
    }

    /// Chunks of 32 fixes each.
    private static let chunksAtATime = 16
    private static let rowsAtATime = 512
}
