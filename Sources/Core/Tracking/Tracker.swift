/// One user's tracking: each group's view, their journey or emergency, and its timers.
///
/// A value type. Events are passed to the mutating functions, each with the time at which the
/// server received it; the resulting actions are returned as effects. There are no other side
/// effects.
public struct Tracker: Hashable, Sendable {
    public let user: UserID
    /// Ordered by group, ascending.
    public internal(set) var sessions: [Session] = []
    /// The newest position, shared or not.
    public internal(set) var latest: Fix?
    public internal(set) var undertaking = Undertaking.nothing
    /// When friends began to see the position; nil if none does.
    public internal(set) var friendsSince: Timestamp?

    package internal(set) var presence = Presence()
    package internal(set) var whereabouts = Whereabouts()
    package internal(set) var pathsBegun: Int64 = 0
    package internal(set) var alertsRaised: Int64 = 0
    /// The highest version of any past session: a person who returns to a group continues from it.
    package internal(set) var highestVersion: Int64 = 0
    /// When the person last made a request, or was reminded of sharing.
    package internal(set) var attendedAt: Timestamp?
    /// When the position deleted at the person's request was taken: no older one is accepted as the
    /// newest.
    package internal(set) var forgottenThrough: Timestamp?

    /// The end of the pause, until which no one sees anything; nil: no pause.
    public internal(set) var pausedUntil: Timestamp?

    /// When the person last ended an SOS: earlier calls have ended with it.
    public internal(set) var sosEndedAt: Timestamp?

    /// The time since which positions have been refused for their time, with no other received.
    public internal(set) var positionsRefusedSince: Timestamp?

    /// When the last pause ended. Positions taken until then are not shown afterwards, except on a
    /// journey and in an SOS; nil if there was no pause, or if something newer is known.
    package internal(set) var pauseEndedAt: Timestamp?

    /// Whether positions are not even stored. Starting to share has them stored again.
    public internal(set) var storesNothing = false

    public init(user: UserID) { self.user = user }

    /// Restores a stored value.
    package init(
        user: UserID, sessions: [Session], latest: Fix?, undertaking: Undertaking,
        friendsSince: Timestamp?, presence: Presence, pathsBegun: Int64, alertsRaised: Int64,
        highestVersion: Int64, attendedAt: Timestamp?, forgottenThrough: Timestamp?,
        storesNothing: Bool, pausedUntil: Timestamp?, pauseEndedAt: Timestamp?,
        sosEndedAt: Timestamp?, positionsRefusedSince: Timestamp?, whereabouts: Whereabouts
    ) {
        self.user = user
        self.sessions = sessions
        self.latest = latest
        self.undertaking = undertaking
        self.friendsSince = friendsSince
        self.presence = presence
        self.pathsBegun = pathsBegun
        self.alertsRaised = alertsRaised
        self.highestVersion = highestVersion
        self.attendedAt = attendedAt
        self.forgottenThrough = forgottenThrough
        self.storesNothing = storesNothing
        self.pausedUntil = pausedUntil
        self.pauseEndedAt = pauseEndedAt
        self.sosEndedAt = sosEndedAt
        self.positionsRefusedSince = positionsRefusedSince
        self.whereabouts = whereabouts
    }

    public var isOnline: Bool { presence.isOnline }
    /// The last sign of life of a person who is online without a connection.
    public var leftAt: Timestamp? { presence.leftAt }

    /// The journey that groups currently follow. During an SOS these are the groups that do not
    /// know of it.
    public var journey: Journey? {
        switch undertaking {
        case .nothing: nil
        case .journey(let journey, _): journey
        case .emergency(let emergency, _): isFollowed ? emergency.waiting?.journey : nil
        }
    }

    /// Whether a group follows a journey now.
    var isFollowed: Bool { sessions.contains { $0.state == .routing } }

    public var emergency: Emergency? {
        if case .emergency(let emergency, _) = undertaking { emergency } else { nil }
    }

    /// Whether the person has called for help themselves.
    public var hasCalled: Bool { emergency?.cause == .person }

    /// The journey, also while it waits during an SOS.
    public var plannedJourney: Journey? { journey ?? emergency?.waiting?.journey }

    /// The journey that the group follows, also while it waits during an SOS.
    public func followedJourney(in group: GroupID) -> Journey? {
        if session(in: group)?.state == .routing { return journey }
        guard let waiting = emergency?.waiting, waiting.groups.contains(group) else { return nil }
        return waiting.journey
    }

    /// The path being recorded.
    public var path: Path? { undertaking.following?.path }

    var watch: Watch? { undertaking.following?.watch }

    /// The part of ``warnings`` shown to the group.
    public func warnings(in session: Session) -> Warnings {
        switch session.state {
        case .inactive: []
        case .active: warnings.intersection(.clock)
        case .routing: warnings
        case .sos: warnings.subtracting([.late, .stuck])
        }
    }

    public var warnings: Warnings {
        var warnings: Warnings = []
        if positionsRefusedSince != nil { warnings.insert(.clock) }
        if watch?.toldOffline == true { warnings.insert(.offline) }
        if journey?.isLate == true { warnings.insert(.late) }
        if journey?.isStuck == true { warnings.insert(.stuck) }
        if watch?.toldSilent == true { warnings.insert(.silent) }
        return warnings
    }

    public func session(in group: GroupID) -> Session? {
        index(of: group).map { sessions[$0] }
    }

    /// Whether a position of that time belongs to the current pause, or to the last one: it is
    /// never shown, even afterwards.
    package func isPaused(at time: Timestamp) -> Bool {
        pausedUntil != nil || pauseEndedAt.map { time <= $0 } ?? false
    }

    /// The newest position, unless it was taken in a pause.
    public var shown: Fix? {
        guard let pauseEndedAt, let latest else { return latest }
        return latest.takenAt > pauseEndedAt ? latest : nil
    }

    /// The position that a group may see, at its precision.
    public func visibleFix(in session: Session) -> Fix? {
        switch session.state {
        case .inactive(let lastKnown): lastKnown?.shown(session.precision)
        case .active: shown?.shown(session.precision)
        case .routing: latest?.shown(session.precision)
        case .sos: latest
        }
    }

    /// The same, for one of the groups.
    public func visibleFix(in group: GroupID) -> Fix? {
        session(in: group).flatMap { visibleFix(in: $0) }
    }

    // MARK: Membership

    /// Adds the user to a group, which sees an inactive session.
    public mutating func join(_ group: GroupID, at now: Timestamp) -> [Effect] {
        guard index(of: group) == nil else { return [] }
        let place = sessions.firstIndex { $0.group > group } ?? sessions.count
        sessions.insert(Session(group: group, since: now, version: highestVersion), at: place)
        sessions[place].note(.state)
        return settle([])
    }

    /// Removes the user from a group: a journey or an emergency continues in the other groups.
    ///
    /// - Parameter isTold: whether the group is notified that it no longer follows.
    public mutating func leave(_ group: GroupID, at now: Timestamp, isTold: Bool = true)
        -> [Effect]
    {
        guard let place = index(of: group) else { return [] }
        var effects: [Effect] = []
        switch sessions[place].state {
        case .routing where isTold:
            effects.append(.alert(alert(.journeyStopped, to: group, at: now), repetition: 0))
        case .sos where isTold:
            effects.append(.alert(alert(.sosLeft, to: group, at: now), repetition: 0))
        case .inactive, .active, .routing, .sos: break
        }
        let session = sessions.remove(at: place)
        highestVersion = max(highestVersion, session.version)
        undertaking.changeEmergency {
            $0.escalations.removeAll { $0.alert.group == group }
            $0.responses.removeAll { $0.group == group }
        }
        if session.state.isWatched { withdrawPath(from: group, at: now, &effects) }
        return settle(effects)
    }

    /// Updates the groups' view for an external reason: a new name.
    public mutating func changeAppearance() -> [Effect] {
        noteStateOfAll()
        return settle([])
    }

    // MARK: The end of every event

    /// Turns the recorded changes into versions and effects.
    mutating func settle(_ effects: [Effect]) -> [Effect] {
        var changes: [Effect] = []
        for index in sessions.indices where sessions[index].change != .nothing {
            sessions[index].version += 1
            changes.append(
                .memberChanged(
                    sessions[index].group, urgent: sessions[index].change == .state))
            sessions[index].change = .nothing
        }
        return changes + effects
    }

    mutating func noteStateOfAll() {
        for index in sessions.indices { sessions[index].note(.state) }
    }

    mutating func noteStateOfWatched() {
        for index in sessions.indices where sessions[index].state.isWatched {
            sessions[index].note(.state)
        }
    }

    func index(of group: GroupID) -> Int? { sessions.firstIndex { $0.group == group } }

    // MARK: Alerts

    /// Returns one alert for each group that it concerns.
    mutating func alert(_ kind: Alert.Kind, at now: Timestamp) -> [Alert] {
        sessions.filter { kind.concerns($0.state) }.map { alert(kind, to: $0.group, at: now) }
    }

    mutating func alert(
        _ kind: Alert.Kind, to group: GroupID, at now: Timestamp, isClockWrong: Bool = false,
        receivedAt: Timestamp? = nil
    ) -> Alert {
        alertsRaised += 1
        let journey = followedJourney(in: group)
        // The id of a call depends on nothing but when it was received, so that it can be known
        // before the call is stored.
        let id =
            receivedAt.map { UUIDv7(at: $0, user: user, number: -group.rawValue) }
            ?? UUIDv7(at: now, user: user, number: alertsRaised)
        return Alert(
            id: id, kind: kind, group: group,
            at: now, fix: visibleFix(in: group), destination: journey?.destination,
            eta: journey?.eta, journeyWaits: kind.isCall && journey != nil,
            isClockWrong: isClockWrong)
    }
}
