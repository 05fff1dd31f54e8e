import Contract
import Store
import Tracking

/// What OwnTracks apps are to be shown of others in later turns.
final class OwnTracksState: AreaState {
    /// It is not stored: what the broker retains is compared at the start.
    var waiting = StepQueue<OwnTracks.View, OwnTracks.Showing>()

    init(_ transaction: Transaction, _ settings: BridgeSettings) {}

    func add(_ view: OwnTracks.View, _ showing: OwnTracks.Showing) {
        waiting.add(view, showing, join: OwnTracksState.join)
    }

    private static func join(_ waiting: OwnTracks.Showing, _ new: OwnTracks.Showing)
        -> OwnTracks.Showing
    {
        OwnTracks.Showing(
            isRetained: waiting.isRetained || new.isRetained, payer: waiting.payer)
    }

    /// Takes over what is still to be shown, as the turn failed.
    func takeOver(_ old: OwnTracksState) {
        waiting = old.waiting
        waiting.putBack(join: OwnTracksState.join)
    }
}

/// What apps show of others. What one member's change changes for all others is shown at once; what
/// coming, leaving and another app change, to a few at once and to more in steps.
extension OwnTracks {
    /// What one user sees of another on the map of an OwnTracks app.
    struct View: Hashable {
        let viewer: UserID
        let member: UserID
    }

    struct Showing {
        /// Whether the broker may retain something on its topics.
        let isRetained: Bool
        /// To whose budget it is charged; nil: nobody's.
        let payer: UserID?
    }

    /// Has the member shown anew to everybody in the group who uses an OwnTracks app.
    func noteViews(of member: Person, in group: Group) {
        for viewer in group.members where viewer.usesOwnTracks && viewer !== member {
            viewsToShow.insert(View(viewer: viewer.id, member: member.id))
        }
    }

    /// Has the member shown, or no longer shown, when it is the view's turn; does nothing if there is
    /// nothing to see of them, and can have been nothing.
    ///
    /// - Parameter wasShown: whether the viewer's app may have shown the member until now.
    func showLater(
        _ member: Person, to viewer: Person, wasShown: Bool = false, payer: Person?
    ) {
        guard member.isShown(to: viewer) || wasShown && member.hasChanged(for: viewer) else {
            return
        }
        state.add(
            View(viewer: viewer.id, member: member.id),
            Showing(isRetained: wasShown, payer: payer?.id))
    }

    func showViews() throws(StoreError) {
        for view in viewsToShow.sorted(by: { $0 < $1 }) {
            try show(view, isRetained: true, payer: view.member)
        }
        viewsToShow = []
    }

    /// A call for help is sent first.
    func showMore() throws(StoreError) {
        state.waiting.take(atMost: turn.hasCallForHelp ? 0 : OwnTracks.shownInTurn)
        for (view, showing) in state.waiting.inTurn {
            try show(view, isRetained: showing.isRetained, payer: showing.payer)
        }
    }

    /// Shows, while the person is still known, all that waits to be shown of them, and to them.
    func showAll(of person: Person) throws(StoreError) {
        try showViews()
        let views = state.waiting.removeAll { [id = person.id] in
            $0.viewer == id || $0.member == id
        }
        for (view, showing) in views {
            try show(view, isRetained: showing.isRetained, payer: showing.payer)
        }
    }

    /// People who share several groups with the viewer appear once, as in the group that sees the
    /// most; nobody appears to a viewer without such an app.
    private func show(_ view: View, isRetained: Bool, payer: UserID?) throws(StoreError) {
        guard let viewer = memory.people[view.viewer], let member = memory.people[view.member]
        else { return }
        let (location, card) = viewer.usesOwnTracks ? member.appearance(to: viewer) : ([], [])
        guard isRetained || !location.isEmpty else { return }
        try charge(payer.flatMap { memory.people[$0] }?.budget) {
            retain(.ownTracksMember(viewer: viewer.name, member.name, suffix: ""), location)
            retain(.ownTracksMember(viewer: viewer.name, member.name, suffix: "info"), card)
        }
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(OwnTracksState.self).waiting.isEmpty ? nil : Timestamp(milliseconds: 0)
    }

    /// Views shown in one turn besides those of members who have moved.
    static let shownInTurn = 25
}

extension OwnTracks.View: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.viewer, left.member) < (right.viewer, right.member)
    }
}
