import Contract
import Racing
import Store
import Tracking

/// Reading a race's fixes from the store, and storing its results.
extension Runs {
    /// Whether late positions still count: until a day after the end, if the earlier ones are still
    /// stored.
    func isReadable(_ race: Race) -> Bool {
        race.time.lowerBound > now - settings.limits.retention
    }

    /// Reads a part of the stored fixes in each turn, so that calls for help are not delayed.
    func readStored() throws {
        var (rows, segments) = (Runs.rowsRead, Runs.segmentsOfTurn)
        for (_, race) in state.races.sorted(by: { $0.key < $1.key }) {
            while rows > 0, segments > 0, let user = race.nextToRead(at: now),
                let reading = race.reading
            {
                guard let person = memory.people[user] else {
                    race.take([], before: nil, atMost: segments)
                    continue
                }
                let part = try stored(of: person, from: reading.before)
                let next = try next(of: person, from: part.end)
                segments -= race.take(
                    part.fixes, before: next.flatMap { race.time.contains($0) ? $0 : nil },
                    atMost: segments)
                rows -= Runs.rowsOfQuery + part.rowsRead
            }
        }
    }

    /// The approximate number of rows read per turn; a query costs as much as some.
    private static let rowsRead = 2_000
    private static let rowsOfQuery = 20
    /// The approximate number of course segments with which stored fixes are compared per turn.
    private static let segmentsOfTurn = 500_000

    /// A person's fixes taken from a time on, and before `end`.
    private struct StoredPart {
        let end: Timestamp
        var fixes: [(device: DeviceID, fix: Fix)] = []
        /// The number of rows, including fixes that do not count.
        var rowsRead = 0
    }

    private func stored(of person: Person, from: Timestamp) throws -> StoredPart {
        let (chunks, end) = try chunks(of: person, from: from)
        var part = StoredPart(end: end)
        for (device, chunks) in zip(person.devices, chunks) {
            var read = chunks
            if let open = device.log.openChunk, open.latest >= from, open.earliest < end {
                read.append((open.last, open.count))
            }
            let rows = try transaction.fixes(in: read)
            guard let first = rows.last?.id else { continue }
            part.rowsRead += rows.count
            let paused = try transaction.pausedFixes(of: person.id, from: first)
            for row in rows
            where !row.isForgotten && row.fix.takenAt >= from && row.fix.takenAt < end
                && !paused.contains(where: { $0.contains(row.id) })
            {
                part.fixes.append((device.id, row.fix))
            }
        }
        return part
    }

    /// Returns the chunks of each of a person's devices with fixes from a time on, and before
    /// `end`: the more chunks, the earlier the end. Of more fixes than a phone can send, the newest
    /// count.
    private func chunks(of person: Person, from: Timestamp)
        throws -> (chunks: [[(last: FixID, count: Int)]], end: Timestamp)
    {
        var stretch = Runs.stretch
        while true {
            let end = from + stretch
            var rest = Runs.mostChunks
            var chunks: [[(last: FixID, count: Int)]] = []
            for device in person.devices {
                let found = try transaction.chunks(
                    of: device.id, before: nil, from: from, to: end, limit: rest)
                chunks.append(found)
                rest -= found.count
            }
            if Runs.mostChunks - rest <= Runs.usualChunks || stretch <= Runs.shortestStretch {
                return (chunks, end)
            }
            stretch = stretch / 2
        }
    }

    private static let stretch = Duration.seconds(1_800)
    private static let shortestStretch = Duration.seconds(225)
    /// Chunks of 32 fixes each: two devices that send a fix per second fill as many in half an
    /// hour.
    private static let usualChunks = 128
    private static let mostChunks = 1_000

    /// - Returns: when the first fix after that may have been taken; nil if there is none.
    private func next(of person: Person, from time: Timestamp) throws -> Timestamp? {
        var next: Timestamp?
        for device in person.devices {
            let open = device.log.openChunk.flatMap {
                $0.latest >= time ? max($0.earliest, time) : nil
            }
            let stored = try transaction.nextChunk(of: device.id, from: time)
            next = [next, open, stored].compactMap { $0 }.min()
        }
        return next
    }

    // MARK: Results

    /// Stores some of the results in each turn. Those of hidden participants are stored once they
    /// are visible.
    func storeResults(of race: Race, _ id: Name) throws {
        guard !race.isIncomplete else { return }
        for user in race.unstored.sorted().prefix(Runs.resultsStored) {
            race.noteStored(user)
            guard let participant = race.participants[user] else { continue }
            guard !Runs.isHidden(memory.people[user]) else {
                race.change(user) { $0.isHidden = true }
                continue
            }
            try transaction.set(
                RunResultRow(
                    run: id, user: user, bib: participant.entry.bib,
                    name: participant.entry.name, participant.best, clock: race.run.clock))
        }
    }

    private static let resultsStored = 50
}
