import Contract
import Store
import Tracking

/// The groups' state between turns.
final class GroupsState: AreaState {
    /// People whose retained group list is to be published, and the people whose budgets pay for
    /// it. The queue is not stored: the broker's retained messages are compared at the start.
    var lists = StepQueue<UserID, UserID>()

    init(_ transaction: Transaction, _ settings: BridgeSettings) {}

    /// Takes over pending publications from a turn that failed.
    func takeOver(_ old: GroupsState) {
        lists = old.lists
        lists.putBack { first, _ in first }
    }
}

/// Publication of the members' group lists after a group was renamed: some in each turn.
extension Groups {
    func noteNewName(of group: Group, by person: Person) {
        for member in look(through: group.members) {
            state.lists.add(member.id, person.id) { first, _ in first }
        }
    }

    /// Publishes some of the lists; a call for help is sent first.
    func showLists() throws {
        state.lists.take(atMost: turn.hasCallForHelp ? 0 : Groups.listsInTurn)
        for (user, payer) in state.lists.inTurn {
            guard let person = memory.people[user] else { continue }
            try charge(memory.people[payer]?.budget) { publishGroups(of: person) }
        }
    }

    private static let listsInTurn = 25
}
