import Contract
import Store
import Tracking

/// Share links, which show people without an account where a person is, or how their journey is
/// going.
///
/// A holder opens a link (``ShareLinks/open(_:from:)``) and gets a token with which the gate lets
/// them receive on the link's topic only. They learn nothing but its content (``SharedView``), and
/// only until the link ends.
final class ShareLinks: AreaHandler {
    typealias State = ShareLinkState

    unowned let turn: Turn
    /// Looked up once: every fix needs it.
    let state: ShareLinkState

    init(_ turn: Turn) {
        self.turn = turn
        state = turn.memory.state(State.self)
    }

    func perform(
        _ command: ShareCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .create(let what, let until, let precision):
            try create(what, until: until, precision, by: person, asker)
            return nil
        case .list: return list(of: person)
        case .end(let share):
            guard let link = links(of: person).first(where: { $0.id == share }) else {
                throw ShareLinks.unknown("There is no such link.")
            }
            try end(link, of: person)
            noteUsage(.changes, of: person)
            return Array("{}".utf8)
        }
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        guard state.links[person.id] != nil else { return }
        switch effect {
        case .alert(let alert, _):
            // Immediately: another journey may begin in the same turn.
            if [.journeyArrived, .journeyStopped].contains(alert.kind) {
                try endJourneys(of: person, alert.kind == .journeyArrived ? .arrived : .over)
            }
            note(.shareLinks, person)
        case .memberChanged(_, urgent: true), .pathEnded, .pathChanged, .pauseChanged,
            .deviceChanged:
            note(.shareLinks, person)
        case .memberChanged(_, urgent: false), .presenceChanged, .pathBegan, .pathGrew,
            .segmentCompleted, .pathWithdrawn, .reminder, .sharingEnded:
            break
        }
    }

    func moved(to fix: Fix, of person: Person) { noteChange(of: person) }

    func release(_ person: Person) { noteChange(of: person) }

    /// Handles a change of what the person's links show.
    func noteChange(of person: Person) {
        if state.links[person.id] != nil { note(.shareLinks, person) }
    }

    func links(of person: Person) -> [ShareLinkRow] { state.links[person.id] ?? [] }

    func finish(_ people: [Person]) throws {
        for user in state.ends.take(by: now, atMost: BridgeSettings.maximumTimers) {
            guard let person = memory.people[user] else { continue }
            for link in links(of: person) where link.until <= now { try end(link, of: person) }
            scheduleEnds(of: person)
        }
        for person in people where person.pending.contains(.shareLinks) {
            try endJourneys(of: person, .over)
            try show(person)
        }
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let oldest = sweep.startedAt - ShareLinks.memory
        return try transaction.deleteShareLinks(endedBefore: oldest, atMost: limit) >= limit
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        _ = try endAll(of: person)
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(ShareLinkState.self).ends.next
    }

    static func unknown(_ detail: String) -> Problem { Problem(.unknownLink, detail) }

    // MARK: Bounds

    /// The maximum number of a person's active links.
    static let maximum = 20
    /// The time for which a journey's link works after the journey's planned end.
    static let afterETA = Duration.seconds(12 * 3_600)
    /// The time for which it shows how the journey ended.
    static let farewell = Duration.seconds(3_600)
    /// The time for which an ended link's record is kept for its owner's export.
    static let memory = Duration.seconds(30 * 86_400)

    // MARK: Ending

    /// - Returns: the number of links.
    func endAll(of person: Person) throws -> Int {
        let links = links(of: person)
        for link in links { try end(link, of: person) }
        return links.count
    }

    private func end(_ link: ShareLinkRow, of person: Person) throws {
        try transaction.endShareLink(link.id, at: now)
        state.remove(link)
        retain(.share(link.id), [])
        count("share-links-ended")
    }

    func scheduleEnds(of person: Person) {
        if let next = links(of: person).map(\.until).min() {
            state.ends.schedule(person.id, by: next)
        }
    }

    /// Makes links of ended journeys show that for a while, before they end.
    private func endJourneys(of person: Person, _ end: SharedView.End) throws {
        for var link in links(of: person) {
            guard link.what == .journey, link.journeyEnd == nil, !link.shows(person) else {
                continue
            }
            link.journeyEnd = end
            link.until = min(link.until, now + ShareLinks.farewell)
            try transaction.noteJourneyEnd(end, of: link.id, until: link.until)
            state.set(link)
        }
        scheduleEnds(of: person)
    }

    static let counters = ["share-links-made", "share-links-opened", "share-links-ended"]
}
