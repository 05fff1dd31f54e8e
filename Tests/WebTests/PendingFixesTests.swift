import Contract
import HTTPTypes
import MQTT
import Testing

@testable import Web

/// When fixes count as stored, without a broker.
struct PendingFixesTests {
    private final class Box {
        var receipts: [FixOutcome] = []
        var refusals: [Refusal] = []
    }

    private var pending = PendingFixes()
    private let box = Box()

    private mutating func add(_ text: String) throws {
        let box = box
        pending.add(try NumberedFixes(Array(text.utf8)), to: "fix", until: .seconds(20)) { result in
            switch result {
            case .success(let receipt): box.receipts.append(receipt)
            case .failure(let refusal): box.refusals.append(refusal)
            }
        }
    }

    private mutating func reject(_ text: String, at now: Duration = .zero) {
        pending.takeRejection(Array(text.utf8), topic: "fix", at: now)
    }

    @Test mutating func `A receipt from before the broker had the fixes is about others`() throws {
        try add(#"{"seq":5}"#)
        pending.takeReceipt(Array(#"{"seq":1000}"#.utf8))
        #expect(box.receipts.isEmpty && pending.count == 1)
    }

    @Test mutating func `A fix accepted without a field is not refused`() throws {
        try add(#"{"seq":1}"#)
        pending.flush(at: .zero) { _, _ in .init(rawValue: 7) }
        reject(#"{"topic":"fix","problem":{"status":422},"taken":true}"#)
        #expect(box.refusals.isEmpty && pending.count == 1)
        reject(#"{"topic":"fix","problem":{"status":422}}"#)
        #expect(box.refusals.map(\.status.code) == [422])
    }

    @Test mutating func `A message that the broker does not accept is answered immediately`() throws
    {
        try add(#"{"seq":1}"#)
        try add("{}")
        var number: Int32 = 6
        pending.flush(at: .zero) { _, _ in
            number += 1
            return .init(rawValue: number)
        }
        pending.refuse(.init(rawValue: 7))
        #expect(box.refusals.map(\.status.code) == [503])
        #expect(pending.count == 1)
        pending.confirm(.init(rawValue: 8))
        #expect(box.receipts.count == 1)

        var requests = PendingReplies()
        let box = box
        requests.add("requests/x", [], replies: "replies", until: .seconds(20)) { result in
            if case .failure(let refusal) = result { box.refusals.append(refusal) }
        }
        requests.flush { _, _, _, _ in .init(rawValue: 9) }
        requests.refuse(.init(rawValue: 8))
        #expect(requests.count == 1)
        requests.refuse(.init(rawValue: 9))
        #expect(requests.count == 0)
        #expect(box.refusals.map(\.status.code) == [503, 503])
    }

    @Test mutating func `A rejection concerns only the messages whose numbers it has`() throws {
        try add(#"[{"seq":1},{"seq":3}]"#)
        try add(#"{"seq":4}"#)
        reject(#"{"topic":"fix","problem":{"status":422},"seq":[3,9]}"#)
        reject(#"{"topic":"requests/x","problem":{"status":422},"seq":4}"#)
        reject(#"{"topic":"fix","problem":{"status":422}}"#)
        #expect(pending.count == 2 && box.refusals.isEmpty)
        pending.fail(.noAnswer)
        #expect(box.refusals.count == 2)
    }

    @Test mutating func `An unreadable message is answered if it is the only one`() throws {
        try add(#"{"seq":1}"#)
        reject(#"{"topic":"fix","problem":{"status":413}}"#)
        #expect(box.refusals.map(\.status.code) == [413])
    }

    @Test mutating func `A good fix is not refused for an earlier message without numbers`() throws
    {
        var number: Int32 = 6
        func publish(_: String, _: [UInt8]) -> Connection.PublishID {
            number += 1
            return .init(rawValue: number)
        }
        try add(#"{"latitude":"north"}"#)
        pending.flush(at: .seconds(5), publish)
        pending.confirm(.init(rawValue: 7))
        #expect(box.receipts.count == 1)
        try add(#"{"seq":1}"#)
        pending.flush(at: .seconds(6), publish)
        pending.confirm(.init(rawValue: 8))
        // The bridge's rejection of the first.
        let rejection = #"{"topic":"fix","problem":{"status":422}}"#
        reject(rejection, at: .seconds(7))
        #expect(pending.count == 1 && box.refusals.isEmpty)
        pending.takeReceipt(Array(#"{"seq":1}"#.utf8))
        #expect(box.receipts.map(\.stored) == [nil, 1])

        try add(#"{"seq":2}"#)
        pending.flush(at: .seconds(24), publish)
        reject(rejection, at: .seconds(24.9))
        #expect(pending.count == 1)
        reject(rejection, at: .seconds(25))
        #expect(pending.count == 0 && box.refusals.map(\.status.code) == [422])
    }

    /// On a device whose receipts have reached 5.
    @Test(arguments: [
        // Refused beyond a gap, whatever else is.
        (#"[{"seq":100}]"#, [#""seq":[100]"#], #"{"seq":5,"beyond":[[100,100]]}"#),
        (#"[{"seq":3},{"seq":7}]"#, [#""seq":[3,7]"#], #"{"seq":3,"beyond":[[7,7]]}"#),
        // A bridge that remembers no more of them.
        (#"[{"seq":100}]"#, [#""seq":[100]"#], #"{"seq":5}"#),
        // All refused for their time, from the first number of all.
        (#"[{"seq":0},{"seq":1}]"#, [#""seq":[0,1],"again":[0,1]"#], #"{"seq":-1}"#),
        // Two reasons, and good ones around.
        (
            #"[{"seq":6},{"seq":8},{"seq":9},{"seq":11}]"#,
            [#""seq":[8]"#, #""seq":[9],"again":[9]"#], #"{"seq":6,"beyond":[[8,8],[11,11]]}"#
        ),
        (#"[{"seq":8}]"#, [], #"{"seq":5,"beyond":[[7,9]]}"#),
    ])
    mutating func `A message is answered once each of its numbers is reported`(
        _ sent: String, _ rejections: [String], _ receipt: String
    ) throws {
        try add(sent)
        pending.flush(at: .zero) { _, _ in .init(rawValue: 7) }
        pending.confirm(.init(rawValue: 7))
        for numbers in rejections {
            reject(#"{"topic":"fix","problem":{"status":422},\#(numbers)}"#)
        }
        pending.takeReceipt(Array(receipt.utf8))
        #expect(box.receipts.map(\.rejected.count) == [rejections.count])
        #expect(box.refusals.isEmpty)
    }

    @Test(arguments: [
        #"{"seq":6}"#, #"{"seq":6,"beyond":[[8,9]]}"#, #"{"seq":6,"beyond":[[9,6],[7],7,null]}"#,
        #"{"seq":6,"beyond":3}"#, "{}", #"{"seq":null}"#,
    ])
    mutating func `A message waits for an unreported number`(_ receipt: String) throws {
        try add(#"[{"seq":6},{"seq":7}]"#)
        pending.flush(at: .zero) { _, _ in .init(rawValue: 7) }
        pending.confirm(.init(rawValue: 7))
        reject(#"{"topic":"fix","problem":{"status":422},"seq":[6]}"#)
        pending.takeReceipt(Array(receipt.utf8))
        #expect(pending.count == 1 && box.receipts.isEmpty)
    }

    @Test(arguments: [
        (#"{"seq":7}"#, 7), (#"[{"seq":7},{"seq":9},{}]"#, 9), ("{}", nil), ("[]", nil),
        (#"{"seq":null}"#, nil),
    ])
    func `Fixes are identified by their numbers`(_ text: String, _ last: Int64?) throws {
        #expect(try NumberedFixes(Array(text.utf8)).last == last)
    }

    @Test(arguments: [
        #"{"seq":-1}"#, #"{"seq":1.5}"#, #"[{},{"seq":"1"}]"#, "{", #"{"seq":1e300}"#,
        #"[{"seq":3},{"seq":9007199254740992}]"#,
    ])
    func `Numbers that no receipt can have are refused immediately`(_ text: String) {
        #expect(throws: Problem.self) { try NumberedFixes(Array(text.utf8)) }
    }

    @Test(arguments: ["3", "false", "null", "\"x\""])
    func `A payload other than an object is invalid, as over MQTT`(_ text: String) throws {
        do throws(Problem) {
            _ = try NumberedFixes(Array(text.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.kind == .invalid)
            #expect(error.errors.map(\.field) == ["payload"])
        }
    }

    @Test func `Too many fixes are refused immediately`() {
        let text = "[" + Array(repeating: "{}", count: 1001).joined(separator: ",") + "]"
        #expect(throws: Problem.self) { try NumberedFixes(Array(text.utf8)) }
    }
}
