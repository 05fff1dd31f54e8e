import Contract
import JSON
import Store
import Tracking

/// What everybody sees of runs, and what the clock does.
extension Runs {
    private static func message(_ entry: State.Entry) -> [UInt8] {
        JSONWriter.object {
            $0.run(
                entry.run, entry.status, enrolled: entry.entries.count, withCourse: true)
        }
    }

    func tell(_ id: Name) {
        state.change(id) { entry in
            (entry.toldAt, entry.hasChanged) = (now, false)
            entry.status = entry.run.status(at: now)
        }
        guard let entry = state.runs[id] else { return }
        retain(.run(id), Runs.message(entry))
    }

    /// Somebody has come or gone: many do at the same time.
    func tellSoon(_ id: Name) {
        guard let entry = state.runs[id] else { return }
        if let told = entry.toldAt, now >= told, now < told + Runs.pause {
            state.change(id) { $0.hasChanged = true }
        } else {
            tell(id)
        }
    }

    static func nextDue(_ memory: Memory) -> Timestamp? { memory.state(RunsState.self).next }

    func rescheduleAll() { state.schedule(at: now) }

    func finish(_ people: [Person]) throws(StoreError) {
        guard let next = state.next, next <= now else { return }
        for id in state.runs.keys.sorted() {
            guard let entry = state.runs[id] else { continue }
            let status = entry.run.status(at: now)
            if now >= entry.run.endsAt {
                state.remove(id)
                retain(.run(id), [])
            } else if status != entry.status || entry.nextAt <= now {
                tell(id)
            }
        }
        state.reschedule()
    }

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.run, let names) = topic, let run = names.run else { return nil }
        return memory.state(RunsState.self).runs[run] != nil
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        let state = memory.state(RunsState.self)
        return (state.organised[person.id] ?? []).sorted().compactMap { id in
            state.runs[id].map { (.run(id), message($0)) }
        }
    }

    // MARK: Afterwards

    func sweep(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool {
        try transaction.deleteRuns(
            endedBefore: sweep.startedAt - settings.retention.runs, atMost: limit) >= limit
    }

    /// A run without an organiser does not take place, and nobody sees any more that the person wanted to
    /// take part.
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws(Refused) {
        for id in (state.joined[person.id] ?? []).sorted() {
            state.remove(person.id, from: id)
            tellSoon(id)
        }
        for id in (state.organised[person.id] ?? []).sorted() {
            guard let entry = state.runs[id] else { continue }
            try stored { _ throws(StoreError) in
                if !entry.run.isCancelled { try cancel(entry) }
            }
            state.remove(id)
            retain(.run(id), [])
        }
    }
}
