import Contract
import Testing
import Tracking

/// One Fix, or an array of at most 1000: valid fixes are accepted, the rest is reported.
struct FixMessageTests {
    private func read(_ text: String) throws(Problem) -> FixMessage {
        try FixMessage(text.bytes, receivedAt: .now, FixLimits())
    }

    /// A Fix as text, with its number.
    private func fix(_ number: Int, latitude: String = "46", age: Int64 = 0) -> String {
        let time = Timestamp.now - .seconds(age)
        return """
            {"latitude":\(latitude),"longitude":14,"timestamp":\(time.milliseconds),"seq":\(number)}
            """
    }

    @Test func `A single Fix is accepted`() throws {
        let message = try read(fix(7))
        #expect(message.fixes.map(\.sequence) == [7])
        #expect(message.refusals.isEmpty)
        #expect(message.refusals.flatMap(\.sequences) == [])
    }

    @Test func `An array keeps its order`() throws {
        let message = try read("[\(fix(9)),\(fix(7)),\(fix(8))]")
        #expect(message.fixes.map(\.sequence) == [9, 7, 8])
        #expect(message.refusals.isEmpty)
    }

    @Test func `An empty array is valid and has no fixes`() throws {
        let message = try read("[]")
        #expect(message.fixes.isEmpty)
        #expect(message.refusals.isEmpty)
    }

    @Test func `Valid fixes are accepted; others are reported by index and number`() throws {
        let message = try read(
            "[\(fix(1)),\(fix(2, latitude: "91")),\(fix(3)),5,\(fix(4, latitude: "null"))]")
        #expect(message.fixes.map(\.sequence) == [1, 3])
        #expect(message.refusals.map(\.sequences) == [[2, 4]])
        #expect(
            message.refusals.first?.problem.words == """
                invalid: [1].latitude must be from -90 to 90; [3] must be an object; \
                [4].latitude is missing
                """)
        #expect(
            message.refusals.first?.problem.detail == """
                Some fields are not valid: [1].latitude must be from -90 to 90; \
                [3] must be an object; [4].latitude is missing.
                """)
    }

    @Test func `Impossible fields in an array are reported by index`() throws {
        let odd = fix(2).dropLast() + #","speed":"fast"}"#
        let message = try read("[\(fix(1)),\(odd),\(fix(3, latitude: "91")),\(odd)]")
        #expect(message.fixes.map(\.sequence) == [1, 2, 2])
        #expect(
            message.leftOut?.words
                == "invalid: [1].speed must be a number; [3].speed must be a number")
        #expect(message.refusals.map(\.sequences) == [[3]])
        #expect(try read("[\(fix(1))]").leftOut == nil)
        let many = try read("[\(Array(repeating: odd, count: 1000).joined(separator: ","))]")
        #expect(many.fixes.count == 1000 && many.leftOut?.errors.count == 16)
    }

    @Test func `A refused Fix reports its required and its optional fields`() throws {
        let message = try read(fix(2, latitude: "91").dropLast() + #","speed":"fast"}"#)
        #expect(message.fixes.isEmpty && message.leftOut == nil)
        #expect(
            message.refusals.first?.problem.words
                == "invalid: latitude must be from -90 to 90; speed must be a number")
    }

    @Test func `Fixes that are too old are reported separately`() throws {
        let old = fix(1, age: 40 * 86_400)
        let alone = try read(old)
        #expect(alone.refusals.map(\.problem.words) == ["too-old"])
        #expect(alone.refusals.map(\.sequences) == [[1]])
        let bad = fix(2, latitude: "91")
        let among = try read("[\(old),\(bad),\(fix(3)),\(old),\(bad)]")
        #expect(among.fixes.map(\.sequence) == [3])
        #expect(
            among.refusals.map(\.problem.words) == [
                "too-old",
                """
                invalid: [1].latitude must be from -90 to 90; [4].latitude must be from -90 to 90
                """,
            ])
        #expect(among.refusals.map(\.sequences) == [[1, 1], [2, 2]])
        let after = try read("[\(bad),\(old)]")
        #expect(
            after.refusals.map(\.problem.words) == [
                "invalid: [0].latitude must be from -90 to 90", "too-old",
            ])
        #expect(after.refusals.map(\.sequences) == [[2], [1]])
        // The old one may be right, and our clock wrong; the other one is neither.
        #expect(after.refusals.map(\.mistimed) == [[], [1]])
    }

    /// An invalid number must not reach the receipts.
    @Test(arguments: ["-1", "1.5", "9007199254740992", "\"7\"", "null", "1e400"])
    func `An invalid sequence number is not listed as refused`(_ number: String) throws {
        let message = try read(
            #"{"latitude":91,"longitude":14,"timestamp":1777629600000,"seq":\#(number)}"#)
        #expect(message.fixes.isEmpty)
        #expect(message.refusals.flatMap(\.sequences) == [])
    }

    @Test func `An array has at most a thousand fixes`() throws {
        let thousand = Array(repeating: fix(1), count: 1000)
        #expect(try read("[\(thousand.joined(separator: ","))]").fixes.count == 1000)
        let outcome = refusal { () throws(Problem) in
            _ = try read("[\((thousand + [fix(1)]).joined(separator: ","))]")
        }
        #expect(outcome == "too-large")
    }

    /// The report on a small message must not be a large one.
    @Test func `Only the first of very many errors are reported`() throws {
        let worst = Array(repeating: #"{"seq":-1}"#, count: 1000).joined(separator: ",")
        let message = try read("[\(worst)]")
        let problem = try #require(message.refusals.first?.problem)
        #expect(problem.errors.count == 16)
        #expect(problem.errors.last?.field == "[3].seq")
        #expect(
            problem.detail.hasSuffix(
                "[3].seq must be a whole number from 0 to 9007199254740991; "
                    + "1000 were rejected in total."))
        let old = try read("[\(fix(1, age: 40 * 86_400)),\(worst.dropLast(11))]")
        #expect(old.refusals.map(\.problem.kind) == [.tooOld, .invalid])
        #expect(old.refusals.map(\.problem.errors.count) == [0, 16])
        #expect(Rejection(topic: "x", problem: problem).payload.count < 4_096)
    }

    @Test(arguments: ["", "{", "[", "online", "{\"latitude\":46"])
    func `Text that is not JSON is malformed`(_ text: String) {
        #expect(refusal { () throws(Problem) in _ = try read(text) } == "malformed")
    }

    @Test(arguments: ["5", "null", "\"x\"", "true"])
    func `A value that is not an object is refused`(_ text: String) throws {
        let message = try read(text)
        #expect(message.refusals.first?.problem.words == "invalid: payload must be an object")
        #expect(message.fixes.isEmpty)
    }

    @Test func `Nested arrays are refused`() throws {
        let message = try read("[[\(fix(1))]]")
        #expect(message.refusals.first?.problem.words == "invalid: [0] must be an object")
    }
}
