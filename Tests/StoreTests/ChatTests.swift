import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

struct ChatTests {
    private func id(_ second: Int, _ bits: UInt64 = 0) -> UUIDv7 {
        UUIDv7(at: .noon + .seconds(second), random: (0, bits))
    }

    private func row(
        _ second: Int, _ group: GroupID, _ user: UserID?, _ kind: ChatMessage.Kind = .message,
        _ words: String? = "x"
    ) -> ChatRow {
        ChatRow(
            id: id(second), group: group, user: user, kind: kind, words: words,
            at: .noon + .seconds(second))
    }

    @Test func `A member sees the chat from their first visible message on`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob", "cid")
        let (one, other) = (try file.addGroup("a"), try file.addGroup("b"))
        let rows = (0..<6).map { row($0, one, users[$0 % 2]) }
        try file.run { transaction in
            for row in rows { try transaction.insert(row) }
            try transaction.insert(row(9, other, users[0]))
            try transaction.insertMembership(one, users[0], at: .noon, chatFrom: id(0))
            try transaction.insertMembership(one, users[1], at: .noon, chatFrom: id(3))
            try transaction.insertMembership(other, users[2], at: .noon, chatFrom: id(0))
            func read(_ user: Int, before: UUIDv7? = nil, limit: Int = 9)
                throws(StoreError) -> [ChatRow]
            {
                try transaction.chat(of: one, seenBy: users[user], before: before, limit: limit)
            }
            #expect(try read(0) == rows.reversed())
            #expect(try read(0, before: id(4), limit: 2) == [rows[3], rows[2]])
            #expect(try read(1) == [rows[5], rows[4], rows[3]])
            #expect(try read(1, before: id(3)) == [])
            #expect(try read(2) == [])
            #expect(
                try transaction.chat(writtenBy: users[0], before: id(4), limit: 9)
                    == [rows[2], rows[0]])
        }
    }

    @Test func `A member's last presence message is kept as long as the membership`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        let groups = [try file.addGroup("a", users[0], users[1]), try file.addGroup("b", users[0])]
        try file.run { transaction in
            for second in 0..<4 {
                for (index, group) in groups.enumerated() {
                    let presence = row(second * 2 + index, group, users[0], .online, nil)
                    try transaction.replacePresence(presence, of: users[0])
                }
            }
            try transaction.replacePresence(
                row(20, groups[0], users[1], .offline, nil), of: users[1])
        }
        #expect(try file.count("chat_messages") == 3)
        try file.run { try $0.deleteMembership(groups[0], users[0]) }
        #expect(
            try file.column("SELECT id FROM chat_messages ORDER BY id") == [
                id(7).description, id(20).description,
            ])
    }

    @Test func `The greatest message id is known even after its deletion`() throws {
        let file = try TemporaryStore()
        let user = try file.addUsers("ann")[0]
        let group = try file.addGroup("a")
        func last() throws -> UUIDv7? {
            try file.run { try $0.lastChatMessage() }
        }
        #expect(try last() == nil)
        try file.run { try $0.insert(row(5, group, user)) }
        #expect(try last() == id(5))
        for second in [7, 8] {
            try file.run { transaction in
                try transaction.insert(row(second, group, user))
                try transaction.keepChatOrder(from: id(second))
            }
            try file.execute("DELETE FROM chat_messages")
            #expect(try last() == id(second))
        }
        try file.run { try $0.insert(row(9, group, user)) }
        #expect(try last() == id(9))
    }

    @Test(.onSQLite) func `The time of a user's nth last message is found by an index alone`()
        throws
    {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        let group = try file.addGroup("a")
        try file.run { transaction in
            for second in 0..<5 {
                try transaction.insert(row(second * 3, group, users[0]))
                try transaction.insert(row(second * 3 + 1, group, users[1]))
                try transaction.insert(row(second * 3 + 2, group, users[0], .renamed))
            }
            func time(_ count: Int) throws(StoreError) -> Timestamp? {
                try transaction.chatTime(of: users[0], skipping: count)
            }
            #expect(try time(0) == .noon + .seconds(12))
            #expect(try time(4) == .noon)
            #expect(try time(5) == nil)
        }
        for (query, index) in [
            ("WHERE user_id = 1 AND kind = 'message' ORDER BY id DESC LIMIT 1 OFFSET 9", "user"),
            ("WHERE group_id = 1 AND id < 'g' AND id >= 'a' ORDER BY id DESC LIMIT 9", "group"),
            ("WHERE at_ms < 5 ORDER BY at_ms LIMIT 9", "time"),
        ] {
            let plan = try file.plan("SELECT id FROM chat_messages \(query)")
            #expect(plan.count == 1)
            #expect(plan[0].contains("INDEX chat_messages_by_\(index)"), "\(plan)")
        }
    }

    @Test func `Messages before a moment are deleted oldest first, a bounded number`() throws {
        let file = try TemporaryStore()
        let user = try file.addUsers("ann")[0]
        let group = try file.addGroup("a")
        try file.run { transaction in
            for second in (0..<6).shuffled() { try transaction.insert(row(second, group, user)) }
            #expect(
                try transaction.deleteChat(writtenBefore: .noon + .seconds(4), atMost: 3) == 3)
            #expect(
                try transaction.chat(writtenBy: user, before: nil, limit: 9).map(\.id)
                    == [id(5), id(4), id(3)])
            #expect(
                try transaction.deleteChat(writtenBefore: .noon + .seconds(4), atMost: 3) == 1)
            #expect(try transaction.chat(writtenBy: user, before: nil, limit: 9).count == 2)
        }
    }

    @Test func `An erased account leaves blank messages, a deleted group none`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        let groups = [try file.addGroup("a", users[1]), try file.addGroup("b")]
        try file.run { transaction in
            for (second, group) in [groups[0], groups[0], groups[1]].enumerated() {
                try transaction.insert(row(second, group, users[second % 2], .message, "secret"))
            }
            try transaction.insert(row(7, groups[0], users[0], .renamed, "secret"))
            var counts = ErasureCounts()
            try transaction.countInGroups(of: users[0], &counts)
            #expect(counts.messages == 2)
            try transaction.closeGroup(groups[1])
            _ = try transaction.eraseUser(users[0], devices: [])
            // Until they are removed, no one can read them.
            let rows = try transaction.chat(writtenBy: users[0], before: nil, limit: 9)
            #expect(rows.count == 1, "and nobody sees those of the closed group")
            #expect(rows.allSatisfy { $0.user == nil && $0.words == nil })
            _ = try transaction.continueErasures(atMost: 99) { _, _ in { _ in false } }
        }
        #expect(
            try file.column(
                """
                SELECT kind || COALESCE(CAST(user_id AS TEXT), '-') || COALESCE(text, '-') FROM chat_messages
                ORDER BY id
                """) == ["message--", "message2secret", "renamed--"])
    }
}

extension TemporaryStore {
    /// SQLite's plan for a query.
    fileprivate func plan(_ sql: String) throws -> [String] {
        try run { transaction in
            try transaction.all("EXPLAIN QUERY PLAN \(sql)") { try $0.text(3) }
        }
    }
}
