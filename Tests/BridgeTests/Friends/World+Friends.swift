import Contract
import Store

@testable import Bridge

extension World {
    /// Alice has Bob and Carol on her list; no one shares.
    static func withFriends() throws -> World {
        let world = try FriendListTests.world()
        for user in ["bob", "carol"] {
            try world.ask("alice", "friend.add", "{\"user\":\"\(user)\"}")
        }
        _ = world.published()
        return world
    }

    /// The users whose location the gate lets this user see.
    func inSight(of user: Name) throws -> Set<Name> {
        try store.transaction { try $0.access(of: user)?.facts.friendsInSight ?? [] }
    }
}
