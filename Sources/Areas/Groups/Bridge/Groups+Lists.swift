import Contract
import DequeModule
import Store
import Tracking

/// What groups need between turns.
final class GroupsState: AreaState {
    /// Somebody whose retained list of groups is to be published, and to whose budget that is charged.
    struct Waiting {
        let user: UserID
        let payer: UserID
    }

    /// It is not stored: what the broker retains is compared at the start.
    var lists: Deque<Waiting> = []
    /// Those that the running turn publishes, or the last one has published.
    var listsInTurn: [Waiting] = []

    init(_ transaction: Transaction, _ settings: BridgeSettings) {}

    /// Takes over what is still to be published, as the turn failed.
    func takeOver(_ old: GroupsState) { lists = Deque(old.listsInTurn) + old.lists }
}

/// The lists of groups of the members of a group that has another name: of some of them in each turn.
extension Groups {
    func noteNewName(of group: Group, by person: Person) {
        let waiting = Set(look(through: state.lists).map(\.user))
        for member in look(through: group.members) where !waiting.contains(member.id) {
            state.lists.append(.init(user: member.id, payer: person.id))
        }
    }

    /// A call for help is sent first.
    func showLists() throws(StoreError) {
        state.listsInTurn = turn.hasCallForHelp ? [] : Array(state.lists.prefix(Groups.listsInTurn))
        state.lists.removeFirst(state.listsInTurn.count)
        for waiting in state.listsInTurn {
            guard let person = memory.people[waiting.user] else { continue }
            try charge(memory.people[waiting.payer]?.budget) { publishGroups(of: person) }
        }
    }

    private static let listsInTurn = 25
}
