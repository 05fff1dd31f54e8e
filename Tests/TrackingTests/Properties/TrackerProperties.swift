import TestSupport
import Testing
import Tracking

@testable import Store

/// Properties of every history of events. A failure has its seed in the test's name.
struct TrackerProperties {
    /// Otherwise the properties below would prove little.
    @Test func `The random histories contain every alert and every refusal`() {
        var kinds: Set<Alert.Kind> = []
        var refusals: Set<Refusal> = []
        for seed in seeds {
            var stage = Stage()
            var events = RandomEvents(seed: seed)
            for _ in 0..<150 {
                let (at, event) = events.next()
                for alert in stage.pass(until: at).alerts { kinds.insert(alert.kind) }
                let outcome = stage.apply(event, at: at)
                for alert in outcome.alerts { kinds.insert(alert.kind) }
                if case .refused(let refusal) = outcome { refusals.insert(refusal) }
            }
        }
        // The tracker knows nothing about vital signs.
        #expect(
            kinds
                == Set(Alert.Kind.allCases).subtracting([.vitalsSilent, .vitalsBack, .unanswered]))
        #expect(refusals == Set(Refusal.allCases))
    }

    @Test(arguments: seeds)
    func `A stored tracker is read unchanged and continues identically`(_ seed: UInt64) throws {
        var stage = Stage()
        var copy = stage
        var events = RandomEvents(seed: seed)
        for index in 0..<150 {
            let (at, event) = events.next()
            let fired = stage.pass(until: at)
            #expect(copy.pass(until: at) == fired)
            let outcome = stage.apply(event, at: at)
            #expect(copy.apply(event, at: at) == outcome)
            #expect(copy.tracker == stage.tracker)
            guard index % 10 == 0 else { continue }
            let text = Document.text(SavedTracker(tracker: stage.tracker, logs: []))
            copy.tracker = try Document.savedTracker(text).tracker
            #expect(copy.tracker == stage.tracker)
        }
    }

    @Test(arguments: seeds)
    func `A version grows by one with every reported change`(_ seed: UInt64) {
        var versions: [GroupID: Int64] = [:]
        Stage.play(seed: seed) { stage, _, event, effects in
            if case .leaves(let group) = event { versions[group] = nil }
            var told: [GroupID: Int64] = [:]
            for case .memberChanged(let group, _) in effects { told[group, default: 0] += 1 }
            for session in stage.tracker.sessions {
                let before = versions[session.group] ?? session.version - 1
                #expect(session.version == before + told[session.group, default: 0])
                versions[session.group] = session.version
            }
        }
    }

    @Test(arguments: seeds)
    func `A version never decreases, even for members who return`(_ seed: UInt64) {
        var highest: [GroupID: Int64] = [:]
        Stage.play(seed: seed) { stage, _, _, _ in
            for session in stage.tracker.sessions {
                #expect(session.version >= highest[session.group, default: 0])
                highest[session.group] = session.version
            }
        }
    }

    @Test(arguments: seeds)
    func `A group's view never changes without a report`(_ seed: UInt64) {
        var seen: [GroupID: [String]] = [:]
        Stage.play(seed: seed) { stage, _, _, effects in
            var told: Set<GroupID> = []
            for case .memberChanged(let group, _) in effects { told.insert(group) }
            for session in stage.tracker.sessions {
                let view = stage.view(of: session)
                if !told.contains(session.group) { #expect(seen[session.group] == view) }
                seen[session.group] = view
            }
        }
    }

    @Test(arguments: seeds)
    func `The newest fix is the latest in any order of arrival, with duplicates`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let start = Timestamp.midnight
        let fixes = (0..<100).map {
            Fix(
                coordinate: Road.place(Double($0)), takenAt: start + .seconds($0),
                receivedAt: start)
        }
        var stage = Stage()
        _ = stage.apply(.joins(.family), at: start)
        _ = stage.apply(.startsSharing([.family]), at: start)
        _ = stage.apply(
            .startsJourney(
                Destination(coordinate: Road.place(5000)), eta: start + .seconds(3600), [.family]),
            at: start)
        var newest = -1
        for (index, fix) in (fixes + fixes.prefix(20)).shuffled(using: &random).enumerated() {
            let outcome = stage.apply(.fix(fix, .phone), at: start + .seconds(100 + index))
            let moves = fix.takenAt > start + .seconds(newest)
            if moves { newest = Int((fix.takenAt - start).milliseconds / 1000) }
            #expect(outcome.effects.contains { $0.tells(.family) } == moves)
            #expect(stage.tracker.latest == fixes[newest])
        }
        #expect(stage.tracker.latest == fixes.last)
        #expect(stage.points.map(\.takenAt) == stage.points.map(\.takenAt).sorted())
        #expect(stage.tracker.path?.count == 120)
    }

    @Test(arguments: seeds)
    func `An alert goes to watching groups, and only when its condition changed`(_ seed: UInt64) {
        var current: [GroupID: Set<Alert.Kind>] = [:]
        var identifiers: Set<UUIDv7> = []
        Stage.play(seed: seed) { stage, at, _, effects in
            for case .alert(let alert, let repetition) in effects {
                #expect(identifiers.insert(alert.id).inserted == (repetition == 0))
                guard repetition == 0 else { continue }
                #expect(alert.at == at)
                if [.late, .stuck, .offline, .silent].contains(alert.kind) {
                    let isNew = current[alert.group, default: []].insert(alert.kind).inserted
                    #expect(isNew, "\(alert.kind.rawValue) was already sent")
                }
            }
            for group in [GroupID.family, .work, .choir] {
                let warnings = stage.tracker.session(in: group).map {
                    $0.state.isWatched ? stage.tracker.warnings(in: $0).names : []
                }
                current[group]?.formIntersection(
                    (warnings ?? []).compactMap { Alert.Kind(rawValue: $0) })
            }
        }
    }

    @Test(arguments: seeds)
    func `Related parts of a tracker stay consistent`(_ seed: UInt64) {
        Stage.play(seed: seed) { stage, _, _, _ in
            let tracker = stage.tracker
            let watched = tracker.sessions.filter(\.state.isWatched).map(\.group)
            let states = Set(tracker.sessions.map(\.state.name))
            #expect((tracker.journey != nil) == states.contains("routing"))
            #expect((tracker.emergency != nil) == states.contains("sos"))
            #expect(tracker.journey == nil || tracker.plannedJourney == tracker.journey)
            #expect((tracker.path != nil) == (tracker.journey != nil || tracker.emergency != nil))
            #expect(watched == tracker.path?.groups ?? [])
            #expect(tracker.sessions.map(\.group) == tracker.sessions.map(\.group).sorted())
            #expect(tracker.path?.count ?? stage.points.count == stage.points.count)
            if watched.isEmpty { #expect(tracker.warnings.isEmpty) }
        }
    }
}

extension Effect {
    fileprivate func tells(_ group: GroupID) -> Bool {
        if case .memberChanged(group, _) = self { true } else { false }
    }
}

extension Stage {
    /// Everything that a group sees of the person.
    func view(of session: Session) -> [String] {
        let fix = tracker.visibleFix(in: session)
        return [
            session.state.name, "\(tracker.isOnline)", "\(session.since)",
            "\(String(describing: fix))",
            tracker.warnings(in: session).names.joined(),
            "\(String(describing: tracker.followedJourney(in: session.group)?.eta))",
        ]
    }
}
