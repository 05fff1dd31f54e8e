import Contract
import Store
import Tracking

/// The views of OwnTracks apps to be updated in later turns.
final class OwnTracksState: AreaState {
    /// The queue is not stored: the broker's retained messages are compared at the start.
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

    /// Takes over pending views from a turn that failed.
    func takeOver(_ old: OwnTracksState) {
        waiting = old.waiting
        waiting.putBack(join: OwnTracksState.join)
    }
}

/// The views of OwnTracks apps. A member's own change is shown to all others immediately; the views
/// changed by joining, leaving and another app are updated immediately if few, otherwise in steps.
extension OwnTracks {
    /// One user's view of another on the map of an OwnTracks app.
    struct View: Hashable {
        let viewer: UserID
        let member: UserID
    }

    struct Showing {
        /// Whether the broker may retain something on its topics.
        let isRetained: Bool
        /// The user whose budget pays; nil if no one's.
        let payer: UserID?
    }

    /// Queues the member's view for all group members with an OwnTracks app.
    func noteViews(of member: Person, in group: Group) {
        for viewer in group.members where viewer.usesOwnTracks && viewer !== member {
            viewsToShow.insert(View(viewer: viewer.id, member: member.id))
        }
    }

    /// Queues a view to be shown or cleared later; does nothing if the member is not, and cannot
    /// have been, visible.
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

    func showViews() throws {
        for view in viewsToShow.sorted(by: { $0 < $1 }) {
            try show(view, isRetained: true, payer: view.member)
        }
        viewsToShow = []
    }

    /// Updates some pending views; a call for help is sent first.
    func showMore() throws {
        state.waiting.take(atMost: turn.hasCallForHelp ? 0 : OwnTracks.shownInTurn)
        for (view, showing) in state.waiting.inTurn {
            try show(view, isRetained: showing.isRetained, payer: showing.payer)
        }
    }

    /// Updates all pending views of the person, and for them: a later turn would not find the
    /// person. Leaving the groups has queued these views (see ``Areas/all``).
    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        try showViews()
        let views = state.waiting.removeAll { [id = person.id] in
            $0.viewer == id || $0.member == id
        }
        for (view, showing) in views {
            try show(view, isRetained: showing.isRetained, payer: showing.payer)
        }
    }

    /// Updates a view. A person who shares several groups with the viewer appears once, as in the
    /// group that sees the most; a viewer without such an app sees no one.
    private func show(_ view: View, isRetained: Bool, payer: UserID?) throws {
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

    /// Views updated per turn besides those of members who have moved.
    static let shownInTurn = 25
}

extension OwnTracks.View: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.viewer, left.member) < (right.viewer, right.member)
    }
}
