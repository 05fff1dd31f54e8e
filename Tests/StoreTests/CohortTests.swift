import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

/// Stored cohort data.
struct CohortTests {
    @Test(arguments: [
        (10, 20, 1_000, true), (10, 20, 0, false), (10, 20, -1, false),
        (10, 20, Int64.max, false), (20, 20, 1_000, false), (21, 20, 1_000, false),
    ])
    func `A stored answer must have a range of hours and a valid cost`(
        _ from: Int64, _ to: Int64, _ cost: Int64, isRead: Bool
    ) throws {
        let file = try TemporaryStore()
        try file.execute(
            """
            INSERT INTO cohort_answers (requester_id, filter, from_hour, to_hour, cost, answer)
            VALUES (NULL, '{}', ?, ?, ?, '{}')
            """, [.integer(from), .integer(to), .integer(cost)])
        let all = { (transaction: Transaction) in
            try transaction.cohortAnswers(overlapping: 0..<100).count
        }
        if isRead {
            #expect(try file.run(all) == 1)
        } else {
            let column = from < to ? "cost" : "from_hour"
            let damage = StoreError(.decode, reason: "cohort_answers.\(column) is damaged")
            #expect(throws: damage) { try file.run(all) }
        }
    }

    @Test(arguments: [(Int64(1), true), (0, true), (-1, false), (1 << 40, false)])
    func `A member's number must fit into a set`(_ number: Int64, isRead: Bool) throws {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("ann")
        try file.execute(
            "INSERT INTO cohort_people (number, user_id) VALUES (?, ?)",
            [.integer(number), SQLValue(user)])
        try file.execute(
            "INSERT INTO vitals_consents (user_id, at_ms) VALUES (?, 0)", [SQLValue(user)])
        let members = { (transaction: Transaction) in
            try transaction.cohortMembers(after: UserID(rawValue: 0), limit: 9).map(\.number)
        }
        if isRead {
            #expect(try file.run(members) == [Int(number)])
        } else {
            let damage = StoreError(
                .decode, reason: "the number of a member of cohorts is damaged")
            #expect(throws: damage) { try file.run(members) }
        }
    }
}
