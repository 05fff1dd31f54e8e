import Contract
import Racing
import Store
import Tracking

/// What a race takes from the store, and what is stored of it in the end.
extension Runs {
    /// Late positions count until a day after the end, if those before are still there.
    func isReadable(_ race: Race) -> Bool {
        race.time.lowerBound > now - settings.limits.retention
    }

    func readStored() throws(StoreError) {
        var rest = Runs.rowsRead
        for (_, race) in state.races.sorted(by: { $0.key < $1.key }) {
            while rest > 0, let user = race.nextToRead(at: now), let reading = race.reading {
                guard let person = memory.people[user] else {
                    race.take([], before: nil)
                    continue
                }
                let end = reading.before + Runs.stretch
                let rows = try stored(of: person, from: reading.before, before: end)
                let next = try next(of: person, from: end)
                race.take(rows, before: next.flatMap { race.time.contains($0) ? $0 : nil })
                rest -= rows.reduce(Runs.rowsOfQuery) { $0 + $1.fixes.count }
            }
        }
    }

    /// In a turn, about; a query counts as some.
    private static let rowsRead = 2_000
    private static let rowsOfQuery = 20
    private static let stretch = Duration.seconds(1_800)
    private static let mostChunks = 10_000

    private func stored(of person: Person, from: Timestamp, before end: Timestamp)
        throws(StoreError) -> [(device: DeviceID, fixes: [Fix])]
    {
        var found: [(DeviceID, [Fix])] = []
        for device in person.devices {
            var rows: [FixRow] = []
            if let open = device.log.openChunk, open.latest >= from, open.earliest < end {
                rows += try transaction.fixes(upTo: open.last, count: open.count)
            }
            let chunks = try transaction.chunks(
                of: device.id, before: nil, from: from, to: end, limit: Runs.mostChunks)
            for chunk in chunks {
                rows += try transaction.fixes(upTo: chunk.last, count: chunk.count)
            }
            guard let first = rows.map(\.id).min() else { continue }
            let paused = try transaction.pausedFixes(of: person.id, from: first)
            found.append(
                (
                    device.id,
                    rows.filter { row in
                        !row.isForgotten && row.fix.takenAt >= from && row.fix.takenAt < end
                            && !paused.contains { $0.contains(row.id) }
                    }.map(\.fix)
                ))
        }
        return found
    }

    /// - Returns: when the first fix after that may have been taken; nil if there is none.
    private func next(of person: Person, from time: Timestamp) throws(StoreError) -> Timestamp? {
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

    /// Some of them in each turn. Of whoever is hidden that is done once they are not.
    func storeResults(of race: Race, _ id: Name) throws(StoreError) {
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
                    name: participant.entry.name, participant.best))
        }
    }

    private static let resultsStored = 50
}
