import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

struct FriendTests {
    private struct Acquaintances {
        let store: TemporaryStore
        let ann: UserID
        let ben: UserID
        let cleo: UserID

        init() throws {
            let store = try TemporaryStore()
            self.store = store
            func add(_ name: String) throws -> UserID {
                let name = try #require(Name(name))
                return try store.run { transaction in
                    try transaction.insertUser(
                        name, displayName: name.text, email: nil, ownTracksPublishIsSOS: false,
                        at: .noon)
                }
            }
            (ann, ben, cleo) = (try add("ann"), try add("ben"), try add("cleo"))
        }

        func inSight(_ user: String) throws -> [String] {
            let name = try #require(Name(user))
            return try store.run { transaction in
                try transaction.access(of: name)?.facts.friendsInSight.map(\.text).sorted() ?? []
            }
        }
    }

    @Test func `Visibility follows from friend lists, sharing and blocks`() throws {
        let town = try Acquaintances()
        try town.store.run { transaction in
            for friend in [town.ben, town.cleo] {
                try transaction.insertFriend(friend, of: town.ann, at: .noon)
            }
            try transaction.share(town.ann, with: [town.ben], since: .noon)
        }
        #expect(try town.inSight("ben") == ["ann"])
        #expect(try town.inSight("cleo") == [])
        #expect(try town.inSight("ann") == [])
        try town.store.run { try $0.insertBlock(of: town.ann, by: town.ben, at: .noon) }
        #expect(try town.inSight("ben") == [])
        try town.store.run { transaction in
            try transaction.deleteBlock(of: town.ann, by: town.ben)
            try transaction.insertBlock(of: town.cleo, by: town.ben, at: .noon)
        }
        #expect(try town.inSight("ben") == ["ann"])
        try town.store.run { try $0.share(town.ann, with: [town.ben], since: nil) }
        #expect(try town.inSight("ben") == [])
    }

    @Test func `Every change of visibility is recorded for the gate`() throws {
        let town = try Acquaintances()
        func changes(_ body: (Transaction) throws -> Void) throws -> [String] {
            try town.store.execute("DELETE FROM access_changes")
            try town.store.run(body)
            return try town.store.column(
                "SELECT DISTINCT principal FROM access_changes ORDER BY principal")
        }
        let (ann, ben) = (town.ann, town.ben)
        try town.store.run { try $0.insertFriend(ben, of: ann, at: .noon) }
        #expect(
            try changes { try $0.share(ann, with: [ben], since: .noon) } == ["ben"])
        #expect(
            try changes { try $0.share(ann, with: [ben], since: nil) } == ["ben"])
        #expect(
            try changes { try $0.insertBlock(of: ann, by: ben, at: .noon) } == ["ben"])
        #expect(
            try changes { try $0.deleteBlock(of: ann, by: ben) } == ["ben"])
        try town.store.run { try $0.share(ann, with: [ben], since: .noon) }
        #expect(
            try changes { _ = try $0.eraseUser(ann, devices: []) } == ["ann", "ben"])
        #expect(try town.store.count("friends") == 0)
    }

    @Test func `A friend row shows both sides of the relation`() throws {
        let town = try Acquaintances()
        let (ann, ben) = (town.ann, town.ben)
        try town.store.run { transaction in
            try transaction.insertFriend(ben, of: ann, at: .noon)
            let alone = try transaction.friend(ben, of: ann)
            #expect(alone?.isMutual == false)
            try transaction.insertFriend(ann, of: ben, at: .noon)
            try transaction.share(ben, with: [ann], since: .noon)
            let row = try transaction.friend(ben, of: ann)
            #expect(row?.isMutual == true)
            #expect(row?.sharedSince == nil)
            #expect(row?.visibleSince == .noon)
            #expect(try transaction.friend(town.cleo, of: ann) == nil)
            #expect(try transaction.countShares(of: ben) == 1)
            try transaction.insertFriend(ann, of: town.cleo, at: .noon)
            #expect(try transaction.friendsWithoutRoom(of: town.cleo, sharers: 1) == [ann])
            #expect(try transaction.friendsWithoutRoom(of: town.cleo, sharers: 2) == [])
            #expect(try transaction.sharers(with: ann).map(\.user) == [ben])
        }
    }

    /// Queried by every `friend.nearby` request and by the gate.
    @Test(.onSQLite) func `The users who share with a user are found by an index`() throws {
        let town = try Acquaintances()
        let plan = try town.store.run { transaction in
            try transaction.all(
                """
                EXPLAIN QUERY PLAN SELECT f.user_id, f.shared_since_ms FROM friends f
                WHERE f.friend_id = 1 AND f.shared_since_ms IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM blocks WHERE user_id = f.friend_id AND blocked_id = f.user_id
                )
                """
            ) { try $0.text(3) }
        }
        #expect(plan.contains { $0.contains("friends_by_friend") })
        #expect(!plan.contains { $0.hasPrefix("SCAN") })
    }
}
