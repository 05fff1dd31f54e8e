import Contract
import Gazetteer
import Languages
import MQTT
import Store
import Tracking

/// Phones with an OwnTracks app: their messages, and their views of others.
final class OwnTracks: AreaHandler {
    typealias State = OwnTracksState

    unowned let turn: Turn
    /// The views to be updated in this turn.
    var viewsToShow: Set<View> = []

    init(_ turn: Turn) { self.turn = turn }

    func take(_ message: Message, _ topic: Topic) throws -> Bool {
        switch topic {
        case .ownTracks(let user, let device, let suffix):
            guard !message.payload.isEmpty, !turn.isSparing || calls(message, suffix, user),
                let (person, device) = try turn.sender(message, user, device, using: .ownTracks)
            else { return true }
            try takeOwnTracks(message, suffix, from: person, device)
        // Our own retained messages are delivered to us when we subscribe.
        case .ownTracksMember where message.retain: break
        default: return false
        }
        return true
    }

    /// Shows an alert to members who use such an app, if there is a position, even one received
    /// after the alert.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        guard case .alert(let alert, _) = effect, let group = memory.groups[alert.group] else {
            return
        }
        var located = AlertMessage(
            alert.showing(alert.fix ?? person.tracker.visibleFix(in: alert.group)),
            group: group.key, user: person.name, name: person.displayName, saidAt: now)
        located.shownName = person.distinctName(in: group)
        located.place = located.alert.fix.flatMap { settings.describePlace?($0.coordinate) }
        for viewer in group.members where viewer.usesOwnTracks && viewer !== person {
            let text = settings.languages.say(located.phrases, to: viewer.reader)
            guard let transition = OwnTracksView.transition(of: person.name, located, text) else {
                return
            }
            let topic = Topic.ownTracksMember(viewer: viewer.name, person.name, suffix: "event")
            try send(topics.string(topic), transition)
        }
    }

    func announce(_ phrase: Phrase, about member: Person, to viewer: Person, at place: Fix) throws {
        guard viewer.usesOwnTracks else { return }
        let text = settings.languages.say(phrase, to: viewer.reader)
        let topic = Topic.ownTracksMember(viewer: viewer.name, member.name, suffix: "event")
        try send(topics.string(topic), OwnTracksView.told(text, of: member.name, place, now))
    }

    func joined(_ member: Person, _ group: Group, by adder: Person?) {
        for other in look(through: group.members) where other !== member {
            if other.usesOwnTracks { showLater(member, to: other, payer: adder) }
            if member.usesOwnTracks { showLater(other, to: member, payer: adder) }
        }
    }

    /// Queues the views that a member's leaving changes; to be called while the group still sees
    /// the member.
    func noteLeaving(_ member: Person, _ group: Group, by remover: Person?) {
        for other in look(through: group.members) where other !== member {
            if other.usesOwnTracks {
                showLater(member, to: other, wasShown: true, payer: remover)
            }
            if member.usesOwnTracks {
                showLater(other, to: member, wasShown: true, payer: remover)
            }
        }
    }

    /// Updates the person's views when their first such app is added or the last one removed;
    /// others' views of the person do not change.
    func noteApp(of device: Device, of person: Person, isNew: Bool) {
        let others = person.devices.filter { $0 !== device }
        guard !others.contains(where: { $0.appProtocol == .ownTracks }) else { return }
        let isGone = others.count == person.devices.count
        let hasApp = device.appProtocol == .ownTracks
        let hadApp = isNew ? false : isGone ? hasApp : !hasApp
        guard hadApp != (hasApp && !isGone) else { return }
        for (_, member) in look(through: person.acquaintances).sorted(by: { $0.key < $1.key }) {
            showLater(member, to: person, wasShown: hadApp, payer: person)
        }
    }

    func finish(_ people: [Person]) throws {
        try showViews()
        try showMore()
    }
}

extension OwnTracks {
    /// Handles a message that an OwnTracks phone sent on its topic or below it.
    func takeOwnTracks(
        _ message: Message, _ suffix: String, from person: Person, _ device: Device
    ) throws {
        let content: OwnTracksMessage
        do throws(Problem) {
            content = try turn.read(
                from: device, person, isRetained: message.retain, mistimedAt: \.mistimedAt
            ) {
                limits throws(Problem) in
                try OwnTracksMessage(message.payload, receivedAt: now, limits)
            }
        } catch {
            try turn.hear(device, of: person)
            return try turn.reject(message.topic, error)
        }
        // A retained message may be old: it does not prove that the phone is online.
        guard suffix.isEmpty else {
            guard !message.retain else { return }
            try turn.hear(device, of: person)
            return try takeRegions(content, message.topic, from: person, device)
        }
        switch content {
        case .other, .waypoints, .transition:
            if !message.retain { try turn.hear(device, of: person) }
        case .lastWill:
            try turn.apply(person.tracker.disconnect(device.id, at: now), to: person)
        case .locations(let locations, let refused, _):
            var isThinned = false
            for location in locations {
                let isCall = !message.retain && isCall(location, of: person)
                // It is sent again when there is room.
                if turn.isSparing, !isCall { continue }
                if location.problem != nil, !message.retain { try turn.hear(device, of: person) }
                if isCall {
                    if case .overQuota = try answerCall(location, person, device) {
                        isThinned = true
                    }
                } else if let problem = location.problem {
                    try turn.reject(message.topic, problem)
                } else if let fix = location.fix {
                    if case .overQuota = try turn.take(fix, from: person, device) {
                        isThinned = true
                    }
                }
            }
            if isThinned { try turn.reject(message.topic, turn.problem(ofUsedUp: .fixes)) }
            guard !turn.isSparing else { return }
            if !refused.isEmpty, locations.isEmpty { try turn.hear(device, of: person) }
            for problem in refused { try turn.reject(message.topic, problem) }
            guard !message.retain else { return }
            let accepted = locations.filter { $0.problem == nil }
            try turn.noteClock(
                of: device, person, accepted: accepted.compactMap(\.fix?.takenAt).max(),
                mistimed: content.mistimedAt)
            for location in accepted where !isCall(location, of: person) {
                device.delay.note(now - location.createdAt)
            }
        }
    }

    /// Whether the message contains a call for help: nothing else in it is handled while the disk
    /// is full.
    private func calls(_ message: Message, _ suffix: String, _ user: Name) -> Bool {
        guard suffix.isEmpty, !message.retain, let person = memory.account(user) else {
            return false
        }
        do throws(Problem) {
            let content = try OwnTracksMessage(message.payload, receivedAt: now, settings.limits)
            guard case .locations(let locations, _, _) = content else { return false }
            return locations.contains { isCall($0, of: person) }
        } catch {
            return false
        }
    }

    /// Handles an app's regions, which are places of its owner.
    private func takeRegions(
        _ content: OwnTracksMessage, _ topic: String, from person: Person, _ device: Device
    ) throws {
        switch content {
        case .waypoints(let waypoints):
            do {
                try areas.geofences.take(waypoints, of: person)
            } catch {
                guard let problem = Problem(of: error) else { throw error }
                try turn.reject(topic, problem)
            }
        case .transition(let transition):
            try areas.geofences.report(
                transition.side, at: transition.at, source: transition.source, of: person,
                device)
        case .locations, .lastWill, .other: break
        }
    }

    /// Handles a call for help. An SOS counts even if the position was known before (the phone has
    /// not moved), arrives late or has an impossible time: the person may still be in danger. A
    /// repeated delivery, perhaps after the SOS has ended, does not count again, and a call made
    /// before the person ended the SOS ended with it.
    ///
    /// - Returns: the outcome of the position; nil if there is none.
    private func answerCall(
        _ location: OwnTracksMessage.Location, _ person: Person, _ device: Device
    ) throws -> Turn.FixOutcome? {
        let call = "call:\(location.times)"
        let isKnown = try transaction.reply(to: call, of: device.id, before: nil) != nil
        if isKnown, turn.isSparing { return .known }
        try transaction.insertReply([], to: call, of: device.id, at: now)
        try turn.forgetSurplusReplies(of: device.id, person)
        let isOver = isOver(location, person, device)
        // A person in an SOS of their own has called already.
        if isOver, !isKnown, !person.tracker.hasCalled {
            try areas.notices.add(.callOver, for: person)
        }
        let isUrgent = canCall(person) && !isOver
        let isCalling = !isKnown && isUrgent
        let goesOn = isCalling ? try areas.emergencies.withdrawPendingEnds(person) : false
        if isCalling, !goesOn {
            do {
                return try areas.emergencies.beginSOS(
                    person, device, location.fix, isClockWrong: location.problem != nil)
            } catch {
                guard Problem(of: error) != nil else { throw error }
                return .known  // Ruled out above.
            }
        }
        // The position is sent again when there is room.
        if turn.isSparing, !goesOn { return .known }
        let taking = try location.fix.map { fix in
            try turn.take(fix, from: person, device, isUrgent: isUrgent)
        }
        if goesOn { try areas.emergencies.callAgain(person) }
        return taking
    }

    /// Returns whether there is a group to alert, and the person has not called yet or is waiting
    /// for the end of their SOS.
    private func canCall(_ person: Person) -> Bool {
        (!person.tracker.hasCalled || turn.awaitsEnd(person)) && !person.memberships.isEmpty
    }

    private func isCall(_ location: OwnTracksMessage.Location, of person: Person) -> Bool {
        location.isMarkedSOS || location.isManual && person.ownTracksPublishIsSOS
    }

    /// Whether the call was certainly made before the person ended the SOS. It is uncertain if all
    /// of the phone's messages are that late, as its clock may be slow, and after the server's
    /// clock was set back to before the end.
    private func isOver(
        _ call: OwnTracksMessage.Location, _ person: Person, _ device: Device
    ) -> Bool {
        guard let end = person.tracker.sosEndedAt, end <= now, call.problem == nil,
            call.createdAt + OwnTracks.resolution <= end
        else { return false }
        let delay = now - call.createdAt
        return !turn.decisions.isUsualDelay { device.delay.isUsual(delay) }
    }

    /// The apps write whole seconds.
    private static let resolution = Duration.seconds(1)
}
