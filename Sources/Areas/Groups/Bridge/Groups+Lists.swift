import Contract
import Store
import Tracking

/// What groups need between turns.
final class GroupsState: AreaState {
    /// People whose retained list of groups is to be published, and to whose budget that is charged. It is
    /// not stored: what the broker retains is compared at the start.
    var lists = StepQueue<UserID, UserID>()

    init(_ transaction: Transaction, _ settings: BridgeSettings) {}

    /// Takes over what is still to be published, as the turn failed.
    func takeOver(_ old: GroupsState) {
        lists = old.lists
        lists.putBack { first, _ in first }
    }
}

/// The lists of groups of the members of a group that has another name: of some of them in each turn.
extension Groups {
    func noteNewName(of group: Group, by person: Person) {
        for member in look(through: group.members) {
            state.lists.add(member.id, person.id) { first, _ in first }
        }
    }

    /// A call for help is sent first.
    func showLists() throws(StoreError) {
        state.lists.take(atMost: turn.hasCallForHelp ? 0 : Groups.listsInTurn)
        for (user, payer) in state.lists.inTurn {
            guard let person = memory.people[user] else { continue }
            try charge(memory.people[payer]?.budget) { publishGroups(of: person) }
        }
    }

    private static let listsInTurn = 25
}
