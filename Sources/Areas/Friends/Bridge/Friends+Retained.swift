import Contract
import Tracking

extension Friends {
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .location(let name) = topic else { return nil }
        return memory.person(name)?.locationForFriends != nil
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        person.locationForFriends.map { [(.location(person.name), $0)] } ?? []
    }
}

extension Person {
    /// The payload shown to the friends who may see the position; nil if none may, or no position
    /// is known.
    var locationForFriends: [UInt8]? {
        guard tracker.friendsSince != nil, tracker.pausedUntil == nil, let fix = tracker.shown
        else { return nil }
        return LocationMessage(user: name, name: displayName, fix: fix).payload
    }
}
