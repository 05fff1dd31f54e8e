import Contract
import MQTT
import Store
import Tracking

extension Turn {
    /// Handles a message that an OwnTracks phone sent on its topic or below it.
    func takeOwnTracks(
        _ message: Message, _ suffix: String, from person: Person, _ device: Device
    ) throws(StoreError) {
        let content: OwnTracksMessage
        do throws(Problem) {
            content = try OwnTracksMessage(message.payload, receivedAt: now, settings.limits)
        } catch {
            try hear(device, of: person)
            return try reject(message.topic, error)
        }
        // A retained message may be old: it is no sign of life.
        guard suffix.isEmpty else {
            if !message.retain { try hear(device, of: person) }
            return
        }
        switch content {
        case .other:
            if !message.retain { try hear(device, of: person) }
        case .lastWill:
            try apply(person.tracker.disconnect(device.id, at: now), to: person)
        case .locations(let locations, let refused):
            var isThinned = false
            for location in locations {
                let isCall = !message.retain && isCall(location, of: person)
                let taking =
                    isCall
                    ? try answerCall(location, person, device)
                    : try take(location.fix, from: person, device)
                if case .overQuota = taking { isThinned = true }
            }
            if isThinned { try reject(message.topic, problem(ofUsedUp: .fixes)) }
            for problem in refused { try reject(message.topic, problem) }
        }
    }

    /// An SOS counts even if the position was known before (the phone has not moved) or arrives
    /// late: the person may still be in danger. One that is delivered again, perhaps after the SOS
    /// has ended, counts once.
    ///
    /// - Returns: what became of the position.
    private func answerCall(
        _ location: OwnTracksMessage.Location, _ person: Person, _ device: Device
    ) throws(StoreError) -> Taking {
        let call =
            "call:\(location.fix.takenAt.milliseconds):\(location.createdAt.milliseconds)"
        let isKnown = try transaction.reply(to: call, of: device.id, before: nil) != nil
        try transaction.insertReply([], to: call, of: device.id, at: now)
        try forgetSurplusReplies(of: device.id, person)
        let isUrgent = canCall(person)
        do throws(Refused) {
            let isCalling = !isKnown && isUrgent
            let goesOn = isCalling ? try takesBackEnd(person) : false
            if isCalling, !goesOn {
                return try beginSOS(person, device, location.fix) ?? .known
            }
            let taking = try stored { _ throws(StoreError) in
                try take(location.fix, from: person, device, isUrgent: isUrgent)
            }
            if goesOn { try callAgain(person) }
            return taking
        } catch {
            switch error {
            case .store(let failure): throw failure
            case .problem: return .known  // Ruled out above.
            }
        }
    }

    /// Returns whether there is a group to tell, and the person is not in an SOS or is waiting for
    /// it to end.
    private func canCall(_ person: Person) -> Bool {
        (person.tracker.emergency == nil || awaitsEnd(person)) && !person.memberships.isEmpty
    }

    private func isCall(_ location: OwnTracksMessage.Location, of person: Person) -> Bool {
        let asksForHelp =
            location.isMarkedSOS || location.isManual && person.ownTracksPublishIsSOS
        return asksForHelp && now <= location.createdAt + Turn.oldestCall
    }

    /// The age above which a call for help is no longer treated as one.
    private static let oldestCall = Duration.seconds(3600)

    // MARK: What an app shows of others

    /// Has the member shown anew to everybody in the group who uses an OwnTracks app.
    func noteViews(of member: Person, in group: Group) {
        for viewer in group.members where viewer.usesOwnTracks && viewer !== member {
            viewsToShow.insert(View(viewer: viewer.id, member: member.id))
        }
    }

    /// Has everybody shown anew in the viewer's app.
    func noteViews(for viewer: Person) {
        for membership in viewer.memberships {
            for member in membership.group.members where member !== viewer {
                viewsToShow.insert(View(viewer: viewer.id, member: member.id))
            }
        }
    }

    /// People who share several groups with the viewer appear once, as in the group that sees the
    /// most; nobody appears to a viewer without such an app.
    func showViews() throws(StoreError) {
        for view in viewsToShow.sorted(by: { $0 < $1 }) {
            guard let viewer = memory.people[view.viewer],
                let member = memory.people[view.member]
            else { continue }
            let (location, card) =
                viewer.usesOwnTracks ? member.appearance(to: viewer) : ([], [])
            try charge(member.budget) {
                retain(.ownTracksMember(viewer: viewer.name, member.name, suffix: ""), location)
                retain(.ownTracksMember(viewer: viewer.name, member.name, suffix: "info"), card)
            }
        }
        viewsToShow = []
    }
}

extension Turn.View: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.viewer, left.member) < (right.viewer, right.member)
    }
}
