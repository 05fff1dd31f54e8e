/// One user's tracking: what each of their groups sees, the journey or the emergency they are
/// in, and the timers that belong to it.
///
/// A value. Events go in through the mutating functions, each with the time at which the server
/// learned of it; what is to be done comes out as effects. Nothing else happens.
public struct Tracker: Hashable, Sendable, Codable {
    public let user: UserID
    /// In ascending order of their groups.
    public internal(set) var sessions: [Session] = []
    /// The position that was taken last, shared or not.
    public internal(set) var latest: Fix?
    public internal(set) var journey: Journey?
    public internal(set) var emergency: Emergency?
    /// The path being recorded.
    public internal(set) var path: Path?
    /// Since when some friend sees the position, whoever that is; nil where none does.
    public internal(set) var friendsSince: Timestamp?

    var presence = Presence()
    /// There is one during a journey or an emergency.
    var watch: Watch?
    var pathsBegun: Int64 = 0
    var alertsRaised: Int64 = 0
    /// The highest version of any session that is over: whoever returns to a group counts on.
    var highestVersion: Int64 = 0
    /// When the person last took care of what they share, or was reminded of it.
    var attendedAt: Timestamp?
    /// When the position was taken that the person had forgotten: nothing older comes after it.
    var forgottenThrough: Timestamp?

    /// Whether the person wants nothing stored of where they are; nil in what was saved before.
    var isStorageOff: Bool?

    public init(user: UserID) { self.user = user }

    public var isOnline: Bool { presence.isOnline }

    public var warnings: Warnings {
        var warnings: Warnings = []
        if watch?.toldOffline == true { warnings.insert(.offline) }
        if journey?.isLate == true { warnings.insert(.late) }
        if journey?.isStuck == true { warnings.insert(.stuck) }
        if watch?.toldSilent == true { warnings.insert(.silent) }
        return warnings
    }

    public func session(in group: GroupID) -> Session? {
        index(of: group).map { sessions[$0] }
    }

    /// The position that a group may see.
    public func visibleFix(in session: Session) -> Fix? {
        switch session.state {
        case .inactive(let lastKnown): lastKnown
        case .active, .routing, .sos: latest
        }
    }

    // MARK: Membership

    /// The user became a member: the group sees an inactive session.
    public mutating func join(_ group: GroupID, at now: Timestamp) -> [Effect] {
        guard index(of: group) == nil else { return [] }
        let place = sessions.firstIndex { $0.group > group } ?? sessions.count
        sessions.insert(Session(group: group, since: now, version: highestVersion), at: place)
        sessions[place].note(.state)
        return settle([])
    }

    /// The user is no longer a member: a journey or an emergency goes on in the other groups.
    ///
    /// - Parameter isTold: whether the group is told that it follows no more.
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
        emergency?.escalations.removeAll { $0.alert.group == group }
        if session.state.isWatched { withdrawPath(from: group, &effects) }
        return settle(effects)
    }

    /// The groups see the user differently for a reason that lies outside: a new name.
    public mutating func changeAppearance() -> [Effect] {
        noteStateOfAll()
        return settle([])
    }

    // MARK: What every event ends with

    /// Turns the noted changes into versions and effects.
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

    mutating func enter(_ state: Session.State, _ index: Int, at now: Timestamp) {
        if state.isShared, !isShared { attendedAt = now }
        if state.isShared { store(true) }
        if !state.isShared {
            sessions[index].sharedSince = nil
        } else if sessions[index].sharedSince == nil {
            sessions[index].sharedSince = now
        }
        sessions[index].state = state
        sessions[index].since = now
        sessions[index].note(.state)
    }

    func index(of group: GroupID) -> Int? { sessions.firstIndex { $0.group == group } }

    // MARK: Alerts

    /// One alert for each group that follows the journey or the emergency.
    mutating func alert(_ kind: Alert.Kind, at now: Timestamp) -> [Alert] {
        sessions.filter { $0.state.isWatched }.map { alert(kind, to: $0.group, at: now) }
    }

    mutating func alert(_ kind: Alert.Kind, to group: GroupID, at now: Timestamp) -> Alert {
        alertsRaised += 1
        return Alert(
            id: UUIDv7(at: now, user: user, number: alertsRaised), kind: kind, group: group,
            at: now, fix: latest, destination: journey?.destination, eta: journey?.eta)
    }
}

/// What is wrong right now, each judged by itself.
public struct Warnings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let offline = Warnings(rawValue: 1)
    public static let late = Warnings(rawValue: 2)
    public static let stuck = Warnings(rawValue: 4)
    public static let silent = Warnings(rawValue: 8)

    /// In the contract's order.
    public var names: [String] {
        let all: [(Warnings, String)] = [
            (.offline, "offline"), (.late, "late"), (.stuck, "stuck"), (.silent, "silent"),
        ]
        return all.compactMap { contains($0.0) ? $0.1 : nil }
    }
}
