import Contract
import JSON
import Store
import Tracking

/// Journeys, and the paths that they and SOS calls leave.
final class Journeys: AreaHandler {
    typealias State = JourneyState

    unowned let turn: Turn
    var segmentsPublished = 0

    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: JourneyCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .start(let groups, let destination, let eta):
            try startJourney(groups, destination, eta, person, device)
        case .extend(let eta): try extendJourney(eta, person)
        case .stop(let selection): try stopJourney(for: selection, person)
        case .path(let request): try getPath(request, by: person)
        }
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        switch effect {
        case .pathBegan(let path):
            try transaction.begin(path, of: person.id)
            notePath(of: person, path.groups, from: nil)
        case .pathGrew(let number):
            guard let newFix else { preconditionFailure("a path grows by a fix") }
            try transaction.add(newFix, toPath: number, of: person.id)
            note(.pathTail, person)
        case .segmentCompleted(_, let segment, let points):
            publishSegment(of: person, segment, points)
        case .pathChanged(_, let from):
            guard let path = person.tracker.path else { return }
            if let from { return noteLatePoint(of: person, path, takenAt: from) }
            try transaction.show(path, of: person.id)
            notePath(of: person, path.groups, from: nil)
        case .pathEnded(let number, let withdrawn):
            try endPath(number, of: person, withdrawn: withdrawn)
        case .pathWithdrawn(let number, let group):
            try transaction.withdrawPaths(from: number, of: person.id, from: group)
            notePath(of: person, [group], from: nil)
        case .memberChanged, .presenceChanged, .alert, .reminder, .sharingEnded, .pauseChanged,
            .deviceChanged:
            break
        }
    }

    func left(_ member: Person, _ group: Group, by remover: Person?) throws {
        try transaction.withdrawPaths(from: 0, of: member.id, from: group.id)
        state.paths.forget(RetainedPaths.Key(group: group.id, user: member.id))
        setPublished(nil, of: member, to: group)
    }

    func release(_ person: Person) { if person.isTailHeldBack { note(.pathTail, person) } }

    func rescheduleAll() { state.paths.hurry() }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(JourneyState.self).paths.next
    }

    func finish(_ people: [Person]) throws {
        for person in people { try reloadTail(of: person) }
        try showPaths()
        try showTails(of: people)
    }
}

extension Journeys {
    func startJourney(
        _ selection: GroupSelection, _ destination: Destination?, _ eta: Timestamp,
        _ person: Person, _ device: Device
    ) throws -> [UInt8] {
        let groups = try groups(selection, of: person)
        var tracker = person.tracker
        let carried = tracker.carry(device.id, at: now, settings.rules)
        let started = try tracker.startJourney(
            to: destination, eta: eta, with: groups.map(\.id), at: now)
        person.tracker = tracker
        try turn.apply(carried + started, to: person)
        return journey(of: person)
    }

    func extendJourney(_ eta: Timestamp, _ person: Person) throws -> [UInt8] {
        let effects = try person.tracker.extendJourney(eta: eta, at: now)
        try turn.apply(effects, to: person)
        return journey(of: person)
    }

    /// - Parameter selection: nil for all groups that follow it.
    func stopJourney(for selection: GroupSelection?, _ person: Person) throws -> [UInt8] {
        let groups = try selection.map { try self.groups($0, of: person).map(\.id) }
        let effects =
            if let groups {
                try person.tracker.stopJourney(with: groups, at: now)
            } else {
                try person.tracker.stopJourney(at: now)
            }
        try turn.apply(effects, to: person)
        return Array("{}".utf8)
    }

    private func journey(of person: Person) -> [UInt8] {
        JSONWriter.object { json in
            json.key("journey")
            if let journey = person.tracker.plannedJourney {
                json.journey(journey, from: person.tracker.latest, settings.rules)
            } else {
                json.null()
            }
        }
    }
}
