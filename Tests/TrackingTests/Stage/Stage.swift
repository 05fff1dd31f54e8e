import Tracking

/// A tracker with its surroundings in the bridge: a clock, timers that fire when they are
/// due, and a store that knows the points of the path.
struct Stage {
    var tracker = Tracker(user: .ann)
    var rules = Rules()
    var listeningSince = Timestamp(milliseconds: 0)
    private(set) var isDeaf = false
    /// The time of the latest event.
    private var clock = Timestamp(milliseconds: 0)
    /// The path's points in the order of the time they were taken.
    private(set) var points: [Path.Point] = []
    private var lastSOS: [GroupID: UUIDv7] = [:]

    enum Outcome: Equatable {
        case effects([Effect])
        case refused(Refusal)
        /// Whether an alert was still being repeated.
        case acknowledged(Bool)
    }

    /// Lets the next timer fire that is due by `end`, at its moment or as soon as it can.
    mutating func fire(until end: Timestamp) -> (at: Timestamp, effects: [Effect])? {
        guard !isDeaf, let due = tracker.nextDue(listeningSince: listeningSince, rules),
            due <= end
        else { return nil }
        let now = max(due, clock)
        let effects = advance(to: now)
        // A timer that is due and does nothing would fire forever.
        precondition(
            tracker.nextDue(listeningSince: listeningSince, rules) != due || !effects.isEmpty,
            "nothing happened at a moment that was due")
        return (now, effects)
    }

    /// Lets all timers fire that are due by `end`.
    mutating func pass(until end: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        while let fired = fire(until: end) { effects += fired.effects }
        return effects
    }

    mutating func advance(to now: Timestamp) -> [Effect] {
        clock = max(clock, now)
        let effects = tracker.advance(to: now, listeningSince: listeningSince, rules)
        note(effects, nil)
        return effects
    }

    mutating func apply(_ event: Event, at now: Timestamp) -> Outcome {
        clock = max(clock, now)
        if case .acknowledges(let group) = event { return .acknowledged(acknowledge(group)) }
        do throws(Refusal) {
            return .effects(try decide(event, at: now))
        } catch {
            return .refused(error)
        }
    }

    private mutating func acknowledge(_ group: GroupID) -> Bool {
        lastSOS[group].map { tracker.acknowledge($0) } ?? false
    }

    private mutating func decide(_ event: Event, at now: Timestamp) throws(Refusal) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .joins(let group): effects = tracker.join(group, at: now)
        case .leaves(let group): effects = tracker.leave(group, at: now)
        case .startsSharing(let groups): effects = try tracker.startSharing(with: groups, at: now)
        case .stopsSharing(let groups): effects = try tracker.stopSharing(with: groups, at: now)
        case .startsJourney(let destination, let eta, let groups):
            effects = try tracker.startJourney(to: destination, eta: eta, with: groups, at: now)
        case .extendsJourney(let eta): effects = try tracker.extendJourney(eta: eta, at: now)
        case .stopsJourney: effects = try tracker.stopJourney(at: now)
        case .triggersSOS:
            effects = try tracker.triggerSOS(at: now, rules)
        case .calls(let group): effects = tracker.alertNewGroup(group, at: now, rules)
        case .triggersSOSWith(let fix, let device):
            effects = try tracker.triggerSOS(with: fix, from: device, at: now, rules)
            note(effects, fix)
            return effects
        case .stopsSOS: effects = try tracker.stopSOS(at: now)
        case .isInNeed(let chosen):
            effects = try tracker.callInNeed(in: chosen, at: now, rules)
        case .isAssisted: effects = tracker.noteAssistance(at: now)
        case .fix(let fix, let device):
            effects = tracker.receive(fix, from: device, at: now, rules)
            note(effects, fix)
            return effects
        case .crosses(let crossing, let device):
            effects = tracker.note(crossing, from: device, at: now, rules)
        case .connects(let device): effects = tracker.connect(device, at: now)
        case .disconnects(let device): effects = tracker.disconnect(device, at: now)
        case .speaks(let device): effects = tracker.hear(device, at: now)
        case .isForgotten(let device): tracker.forget(device)
        case .actsOn(let device): effects = tracker.carry(device, at: now, rules)
        case .callsOn(let device): effects = tracker.carry(device, isCall: true, at: now, rules)
        case .names(let device): effects = tracker.name(carried: device, at: now, rules)
        case .bridgeGoesDeaf: isDeaf = true
        case .bridgeListens:
            isDeaf = false
            listeningSince = now
        case .clockIsSet:
            (clock, listeningSince) = (now, now)
            effects = tracker.bound(by: now, rules) ?? []
        case .asks: tracker.attend(at: now)
        case .sharesWithFriends: tracker.startSharingWithFriends(at: now)
        case .stopsSharingWithFriends: tracker.stopSharingWithFriends()
        case .turnsOff: effects = try tracker.turnOff(at: now)
        case .acknowledges, .timePasses: break
        }
        note(effects, nil)
        return effects
    }

    /// Does what the store does with the path, and remembers the alerts.
    private mutating func note(_ effects: [Effect], _ fix: Fix?) {
        for effect in effects {
            switch effect {
            case .pathBegan: points = []
            case .pathGrew:
                guard let fix else { preconditionFailure("only a fix makes a path grow") }
                let place = points.lastIndex { $0.takenAt <= fix.takenAt }.map { $0 + 1 } ?? 0
                points.insert(
                    Path.Point(coordinate: fix.coordinate, takenAt: fix.takenAt), at: place)
            case .pathChanged(_, from: .some):
                let rest = (points.count - 1) % Path.segmentLength + 1
                tracker.replacePath(count: points.count, tail: Array(points.suffix(rest)))
            case .alert(let alert, _) where [.sos, .inNeed].contains(alert.kind):
                lastSOS[alert.group] = alert.id
            case .memberChanged, .presenceChanged, .alert, .segmentCompleted, .pathChanged,
                .pathEnded, .pathWithdrawn, .reminder, .sharingEnded, .pauseChanged,
                .deviceChanged:
                break
            }
        }
    }
}
