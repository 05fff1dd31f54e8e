import Contract
import EarlyWarning
import JSON
import MQTT
import Store
import Tracking

/// Drill calls, which test that the ways to dispatch work: by all ways at once, until each has
/// answered.
extension Dispatch {
    func perform(_ command: DispatchOperatorCommand) throws -> [UInt8] {
        switch command {
        case .drill(let area): try beginDrills(.exercise, in: area)
        }
    }

    /// - Parameter name: the area's; nil for all. Of areas with the same ways, only one is called.
    private func beginDrills(_ kind: DrillKind, in name: String?) throws -> [UInt8] {
        guard state.drills.isEmpty else {
            throw Problem(.tooMany, "Another drill is still running.")
        }
        let all = settings.emergency.dispatchAreas.all
        let chosen = name.map { name in all.filter { $0.name == name } } ?? all
        guard !chosen.isEmpty else {
            throw Problem(invalid: [
                .init(field: "area", reason: "is not in emergency.dispatchAreas")
            ])
        }
        var known: Set<[DispatchWay]> = []
        var drills: [Drill] = []
        for area in chosen where known.insert(area.ways).inserted {
            drills.append(
                Drill(
                    id: UUIDv7(at: now, random: (random.next(), random.next())), area: area.name,
                    kind: kind, nextAt: now + pause(after: 1),
                    ways: area.ways.map { .init(name: $0.name) }))
        }
        for drill in drills {
            count("drills")
            try save(drill)
            call(drill)
        }
        state.lastDrillAt = now
        state.isDrillUnanswered = false
        return JSONWriter.object { json in
            json.key("drills")
            json.array(drills) { $0.string($1.id.description) }
        }
    }

    private func save(_ drill: Drill) throws {
        try transaction.save(drill)
        state.drills[drill.id] = drill.nextAt == nil ? nil : drill
        if let next = drill.nextAt { state.drillsDue = min(state.drillsDue ?? next, next) }
    }

    private func call(_ drill: Drill) {
        guard let area = area(of: drill) else { return }
        let payload = message(drill, in: area)
        for (index, way) in area.ways.enumerated()
        where index < drill.ways.count
            && (drill.nextAt == nil || drill.ways[index].result != .answered)
        {
            guard way != .mqtt else {
                retain(.incident(drill.id), payload)
                continue
            }
            turn.work.append(
                DispatchCall(
                    key: .init(drill.id, way: index), way: way,
                    id: "\(drill.id)-\(drill.attempts)", payload: payload, tries: 1))
        }
    }

    private func area(of drill: Drill) -> DispatchAreas.Area? {
        settings.emergency.dispatchAreas.all.first { $0.name == drill.area }
    }

    private func message(_ drill: Drill, in area: DispatchAreas.Area) -> [UInt8] {
        let nothing = Monitor.Alarm(
            at: drill.id.time, reason: .score, score: Score(points: [:], extremes: []))
        let incident = Incident(
            id: drill.id, status: drill.nextAt == nil ? .closed : .calling,
            attempts: drill.attempts, messages: drill.nextAt == nil ? 2 : 1,
            details: .init(alarm: nothing, phone: nil, fix: nil, toldAt: now))
        return IncidentMessage(
            incident, user: Dispatch.nobody, name: "A drill", sender: settings.emergency.sender,
            area: area.name, number: area.number, drill: drill.kind
        ).payload
    }

    /// Account names contain no colon.
    private static let nobody = "kith:drill"

    // MARK: Progress

    /// Records an answer at the broker.
    func note(_ result: Drill.Result, by way: DispatchWay, in id: UUIDv7) throws {
        guard var drill = state.drills[id] else { return }
        for index in drill.ways.indices where drill.ways[index].name == way.name {
            drill.ways[index].result = result
        }
        try go(on: drill)
    }

    func take(_ outcome: DispatchOutcome, ofDrill id: UUIDv7) throws {
        guard var drill = state.drills[id], drill.ways.indices.contains(outcome.key.way) else {
            return
        }
        drill.ways[outcome.key.way].result =
            switch outcome.result {
            case .answered: .answered
            case .taken: .taken
            case .failed(let failure): .failed(failure)
            }
        try go(on: drill)
    }

    private func go(on known: Drill) throws {
        var drill = known
        guard drill.isAnswered || drill.attempts >= Dispatch.drillAttempts else {
            return try save(drill)
        }
        drill.nextAt = nil
        if !drill.isAnswered { state.isDrillUnanswered = true }
        count("drill-ways-unanswered", drill.ways.count { $0.result != .answered })
        try save(drill)
        call(drill)
        if drill.ways.contains(where: { $0.name == DispatchWay.mqtt.name }) {
            retain(.incident(drill.id), [])
        }
    }

    /// Two minutes, at the usual intervals.
    private static let drillAttempts = 13

    func advanceDrills() throws {
        guard let due = state.nextDrillDue, due <= now else { return }
        state.drillsDue = nil
        for drill in state.drills.values.sorted(by: { $0.id < $1.id }) {
            guard let next = drill.nextAt else { continue }
            let isAhead = next > now + settings.emergency.laterRepeatAfter
            guard next <= now || isAhead else {
                state.drillsDue = min(state.drillsDue ?? next, next)
                continue
            }
            var drill = drill
            drill.attempts += 1
            drill.nextAt = now + pause(after: drill.attempts)
            try go(on: drill)
            if let going = state.drills[drill.id] { call(going) }
        }
        guard let every = settings.emergency.drillEvery, state.drills.isEmpty,
            state.lastDrillAt.map({ $0 + every <= now || $0 > now + every }) ?? true
        else { return }
        do {
            _ = try beginDrills(.test, in: nil)
        } catch {
            guard Problem(of: error) != nil else { throw error }
        }
    }
}
