import Contract
import JSON
import Store
import Tracking

/// What everybody sees of runs, and what the clock does.
extension Runs {
    private static func message(_ entry: State.Entry) -> [UInt8] {
        JSONWriter.object {
            $0.run(
                entry.run, entry.row.status, enrolled: entry.entries.count, withCourse: true)
        }
    }

    func tell(_ id: Name) {
        guard let entry = state.runs[id] else { return }
        retain(.run(id), Runs.message(entry))
    }

    static func nextDue(_ memory: Memory) -> Timestamp? { memory.state(RunsState.self).next }

    func finish(_ people: [Person]) throws(StoreError) {
        guard let next = state.next, next <= now else { return }
        for id in state.runs.keys.sorted() {
            guard let entry = state.runs[id], entry.nextAt <= now else { continue }
            if now >= entry.run.endsAt {
                try change(id, to: .over)
                state.remove(id)
                retain(.run(id), [])
            } else {
                try change(id, to: .on)
                tell(id)
            }
        }
        state.reschedule()
    }

    /// What is told of a run is stored: the broker is compared with it.
    func change(_ id: Name, to status: Run.Status) throws(StoreError) {
        try transaction.setStatus(status, ofRun: id)
        state.change(id) { $0.status = status }
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
            tell(id)
        }
        for id in (state.organised[person.id] ?? []).sorted() {
            guard let entry = state.runs[id] else { continue }
            try stored { _ throws(StoreError) in
                if entry.row.status != .cancelled { try cancel(entry) }
            }
            state.remove(id)
            retain(.run(id), [])
        }
    }
}
