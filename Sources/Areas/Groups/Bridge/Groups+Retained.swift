import Contract
import Tracking

extension Groups {
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        switch topic {
        case .group(let key): memory.group(key) != nil
        case .member(let key, let name):
            memory.group(key)?.members.contains { $0.name == name } ?? false
        case .userGroups(let name): memory.person(name)?.memberships.isEmpty == false
        default: nil
        }
    }

    static func retained(in group: Group, _ memory: Memory, _ rules: Rules) -> [(
        topic: Topic, payload: [UInt8]
    )] {
        [(.group(group.key), group.message.payload)]
            + group.members.compactMap { member in
                guard let session = member.tracker.session(in: group.id) else { return nil }
                let state = MemberState(of: member, in: session, memory, rules)
                return (.member(group.key, member.name), state.payload)
            }
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        guard !person.memberships.isEmpty else { return [] }
        return [(.userGroups(person.name), person.groupsMessage.payload)]
    }
}
