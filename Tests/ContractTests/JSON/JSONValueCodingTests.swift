import Contract
import Foundation
import Testing

/// What the store keeps of the core goes this way.
struct JSONValueCodingTests {
    private struct Sample: Codable, Equatable {
        enum State: Codable, Equatable {
            case none
            indirect case some(Int64?, name: String)
        }
        enum Kind: String, Codable { case first, second }

        var flag = true
        var count: Int32 = -7
        var big: Int64 = 9_007_199_254_740_992
        var ratio = 0.1
        var name = "Zoë \"\\\n"
        var absent: Double?
        var present: UInt8? = 200
        var states: [State] = [.none, .some(nil, name: "a"), .some(3, name: "")]
        var kind = Kind.second
        var ranges = [1...2 as ClosedRange<Int64>, 5...9]
        var lanes = SIMD16<UInt16>(repeating: 65_535)
        var table = ["one": [1, 2], "two": []]
        var deep = [[[Kind.first]]]
    }

    @Test func `What was encoded is decoded again`() throws {
        var sample = Sample()
        let value = try JSONValue(encoding: sample)
        #expect(try value.decode(Sample.self) == sample)
        #expect(value["absent"] == nil)
        sample.absent = -2.5
        var json = JSONWriter()
        json.value(try JSONValue(encoding: sample))
        #expect(try JSONValue.parse(json.bytes).decode(Sample.self) == sample)
    }

    @Test func `It is the same JSON as Foundation's`() throws {
        let sample = Sample()
        var json = JSONWriter()
        json.value(try JSONValue(encoding: sample))
        let theirs = try JSONDecoder().decode(Sample.self, from: Data(json.bytes))
        #expect(theirs == sample)
        let ours = try JSONValue.parse(Array(try JSONEncoder().encode(sample)))
        #expect(try ours.decode(Sample.self) == sample)
    }

    @Test(arguments: [
        (#"{"flag":1}"#), (#"{"flag":true}"#), ("[]"), ("null"),
        (#"{"flag":true,"count":2147483648}"#), (#"{"flag":true,"count":1.5}"#),
    ])
    func `What does not fit is an error and never a trap`(_ text: String) throws {
        let value = try JSONValue.parse(Array(text.utf8))
        #expect(throws: DecodingError.self) { try value.decode(Sample.self) }
    }

    @Test func `A number that a double does not hold exactly is refused`() {
        #expect(throws: EncodingError.self) {
            try JSONValue(encoding: Sample(big: 9_007_199_254_740_993))
        }
        #expect(throws: EncodingError.self) { try JSONValue(encoding: Sample(ratio: .infinity)) }
    }
}
