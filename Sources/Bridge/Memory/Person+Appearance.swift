import Contract
import Tracking

extension Person {
    /// Everybody with whom this person shares a group, each once.
    var acquaintances: [UserID: Person] {
        var found: [UserID: Person] = [:]
        for membership in memberships {
            for member in membership.group.members where member !== self {
                found[member.id] = member
            }
        }
        return found
    }

    /// What friends see who may see it; nil where none may, or nothing is known.
    var locationForFriends: [UInt8]? {
        guard tracker.friendsSince != nil, let fix = tracker.latest else { return nil }
        return LocationMessage(user: name, name: displayName, fix: fix).payload
    }

    /// What the viewer's OwnTracks app shows of this person, taken from the one of the groups
    /// they share that sees the most; both empty where nothing is shared.
    func appearance(to viewer: Person) -> (location: [UInt8], card: [UInt8]) {
        let shared = memberships.filter { viewer.membership(in: $0.group.id) != nil }
        let sessions = shared.compactMap { tracker.session(in: $0.group.id) }
        guard let session = sessions.max(by: { $0.openness < $1.openness }),
            session.state.isShared, let fix = tracker.visibleFix(in: session)
        else { return ([], []) }
        let warnings = session.state.isWatched ? tracker.warnings.names : []
        return (
            OwnTracksView.location(
                of: name, fix, state: session.state.name, warnings: warnings),
            OwnTracksView.card(
                of: name, name: displayName, state: session.state.name, warnings: warnings)
        )
    }
}

extension Session {
    /// How much the group sees, to compare.
    fileprivate var openness: Int {
        switch state {
        case .inactive: 0
        case .active: 1
        case .routing: 2
        case .sos: 3
        }
    }
}
