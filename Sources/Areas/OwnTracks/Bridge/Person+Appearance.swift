import Contract
import Tracking

extension Person {
    /// All people who share a group with this person, each once.
    var acquaintances: [UserID: Person] {
        var found: [UserID: Person] = [:]
        for membership in memberships {
            for member in membership.group.members where member !== self {
                found[member.id] = member
            }
        }
        return found
    }

    /// Returns the viewer's OwnTracks view of this person, with the state for the shared group that
    /// sees the most, and the most precise position that the viewer may see; both are empty if
    /// nothing is shared.
    func appearance(to viewer: Person) -> (location: [UInt8], card: [UInt8]) {
        guard let (session, fix) = sight(of: viewer) else { return ([], []) }
        let warnings = session.state.isWatched ? tracker.warnings(in: session).names : []
        return (
            OwnTracksView.location(
                of: name, fix, state: session.state.name, warnings: warnings),
            OwnTracksView.card(
                of: name, name: displayName, state: session.state.name, warnings: warnings)
        )
    }

    /// Whether ``appearance(to:)`` is not empty.
    func isShown(to viewer: Person) -> Bool { sight(of: viewer) != nil }

    /// Whether something changed in this turn that the viewer's app does not show yet, for example
    /// that the person stopped sharing.
    func hasChanged(for viewer: Person) -> Bool {
        memberships.contains {
            $0.change == .state && viewer.membership(in: $0.group.id) != nil
        }
    }

    private func sight(of viewer: Person) -> (Session, Fix)? {
        let shared = memberships.filter { viewer.membership(in: $0.group.id) != nil }
        let sessions = shared.compactMap { tracker.session(in: $0.group.id) }
        guard let session = sessions.max(by: { $0.openness < $1.openness }),
            session.state.isShared,
            let finest = sessions.filter(\.state.isShared).min(by: { $0.width < $1.width }),
            let fix = tracker.visibleFix(in: finest)
        else { return nil }
        return (session, fix)
    }
}

extension Session {
    /// The width of the cell that the group sees, in metres.
    fileprivate var width: Double { state == .sos ? 0 : precision.side ?? 0 }

    /// A rank of how much the group sees.
    fileprivate var openness: Int {
        switch state {
        case .inactive: 0
        case .active: 1
        case .routing: 2
        case .sos: 3
        }
    }
}
