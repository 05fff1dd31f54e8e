import TestSupport
import Testing
import Tracking

@testable import Store

struct OutboxTests {
    @Test func `Outgoing messages keep their order and are deleted one by one`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            let ids = try (0..<3).map { number in
                try transaction.insertOutgoing(
                    topic: "t\(number)", payload: [UInt8(number)],
                    correlationData: number == 1 ? [] : nil)
            }
            try transaction.deleteOutgoing(ids[0])
            try transaction.deleteOutgoing(ids[0])
            let rows = try transaction.outgoing()
            #expect(rows.map(\.topic) == ["t1", "t2"])
            #expect(rows.map(\.payload) == [[1], [2]])
            #expect(rows.map(\.correlationData) == [[], nil])
        }
    }

    @Test func `A reply is found by device and request`() throws {
        let file = try TemporaryStore()
        let (one, other) = (DeviceID(rawValue: 1), DeviceID(rawValue: 2))
        try file.run { transaction in
            try transaction.insertReply([1], to: "id:1", of: one, at: .noon)
            #expect(try transaction.reply(to: "id:1", of: one, before: nil) == [1])
            #expect(try transaction.reply(to: "id:2", of: one, before: nil) == nil)
            #expect(try transaction.reply(to: "id:1", of: other, before: nil) == nil)
            try transaction.insertReply([2], to: "id:1", of: one, at: .noon + .seconds(1))
            #expect(try transaction.reply(to: "id:1", of: one, before: nil) == [2])
        }
    }

    @Test func `A reply is found by the whole prefix of its name`() throws {
        let file = try TemporaryStore()
        let device = DeviceID(rawValue: 1)
        try file.run { transaction in
            try transaction.insertReply([1], to: "id:12 group.list:0", of: device, at: .noon)
            func isKnown(_ name: String, of device: DeviceID) throws(StoreError) -> Bool {
                try transaction.hasReply(toAnyOf: name, of: device)
            }
            #expect(try isKnown("id:12 ", of: device))
            for other in ["id:1 ", "id:123 ", "id:11 ", "id:13 ", #"id:"12" "#] {
                #expect(try !isKnown(other, of: device))
            }
            #expect(try !isKnown("id:12 ", of: DeviceID(rawValue: 2)))
        }
    }

    /// A request acknowledged long before its connection ended is not sent again.
    @Test func `Only the replies of its last minute count after a connection ends`() throws {
        let file = try TemporaryStore()
        let device = DeviceID(rawValue: 1)
        try file.run { transaction in
            for (seconds, request) in [(0, "early"), (60, "in time"), (120, "last")] {
                try transaction.insertReply(
                    [1], to: request, of: device, at: .noon + .seconds(seconds))
            }
            func isKnown(_ request: String, before seconds: Int) throws(StoreError) -> Bool {
                let time = Timestamp.noon + .seconds(seconds)
                return try transaction.reply(to: request, of: device, before: time) != nil
            }
            for end in [121, 10_000] {
                #expect(try !isKnown("early", before: end))
                #expect(try isKnown("in time", before: end))
                #expect(try isKnown("last", before: end))
            }
            #expect(try !isKnown("last", before: 120))
            #expect(try isKnown("early", before: 60))
            #expect(try !isKnown("early", before: 0))
        }
    }

    @Test func `Old replies are deleted`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            for second in 0..<5 {
                try transaction.insertReply(
                    [], to: "\(second)", of: DeviceID(rawValue: 1), at: .noon + .seconds(second))
            }
            let end = Timestamp.noon + .seconds(3)
            #expect(try transaction.deleteReplies(before: end, atMost: 2) == 2)
            #expect(try transaction.deleteReplies(before: end, atMost: 2) == 1)
        }
        #expect(try file.column("SELECT request FROM replies ORDER BY 1") == ["3", "4"])
    }

    @Test func `An operator request waits for its reply, which is taken once`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            let first = try transaction.insertOperatorRequest("one", at: .noon)
            let second = try transaction.insertOperatorRequest("two", at: .noon)
            #expect(try transaction.operatorRequests().map(\.request) == ["one", "two"])
            #expect(try transaction.takeOperatorReply(first) == nil)
            try transaction.answerOperator(first, "done")
            #expect(try transaction.operatorRequests().map(\.id) == [second])
            #expect(try transaction.takeOperatorReply(first) == "done")
            #expect(try transaction.takeOperatorReply(first) == nil)
        }
        #expect(try file.count("operator_requests") == 1)
    }
}
