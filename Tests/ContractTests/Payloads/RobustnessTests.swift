import Contract
import JSON
import Testing
import Tracking

/// Any input yields a value or an error, never a trap.
struct RobustnessTests {
    private static let samples = [
        #"{"latitude":46.0569,"longitude":14.5058,"timestamp":"2026-05-01T10:00:00Z","seq":17}"#,
        #" [ {"a" : [ true , false , null ] , "b\n\u00e9\ud83d\ude00" : -1.5e-7 } , "Größe 🛰" ] "#,
        #"{"_type":"location","lat":46.1,"lon":14.5,"tst":1777629600,"inregions":["home","x"]}"#,
    ]

    @Test(arguments: samples)
    func `A text truncated anywhere is refused`(_ sample: String) throws {
        let bytes = Array(sample.utf8.reversed().drop { $0 == 0x20 }.reversed())
        _ = try JSONValue.parse(bytes)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONValue.parse(Array(bytes.prefix(length))) }
        }
    }

    @Test(arguments: seeds)
    func `Damaged text never causes a trap`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for sample in Self.samples {
            for _ in 0..<30 {
                var bytes = sample.bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    }
                }
                read(bytes)
            }
        }
    }

    @Test(arguments: seeds)
    func `Random bytes never cause a trap`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let likely = Array(#"{}[]",:\u0019.eE+-tfn "#.utf8) + [0, 0x80, 0xC3, 0xFF]
        for _ in 0..<50 {
            let count = Int.random(in: 0...40, using: &random)
            read((0..<count).map { _ in .random(in: 0...255, using: &random) })
            read((0..<count).map { _ in likely.randomElement(using: &random) ?? 0 })
        }
    }

    /// Runs every payload reader; accepted values can be written again.
    private func read(_ bytes: [UInt8]) {
        let limits = FixLimits()
        _ = refusal { () throws(Problem) in
            let message = try FixMessage(bytes, receivedAt: .now, limits)
            for fix in message.fixes {
                _ = JSONWriter.object {
                    $0.key("fix"); $0.fix(fix)
                }
            }
        }
        _ = refusal { () throws(Problem) in
            _ = try OwnTracksMessage(bytes, receivedAt: .now, limits)
        }
        _ = refusal { () throws(Problem) in
            let request = try Request(bytes)
            _ = Reply(id: request.id, .result("{}".bytes)).payload
            _ = try Command(method: "journey.start", request, at: .now, limits)
        }
        _ = TopicSpace().parse(bytes.text)
    }

    @Test(arguments: seeds)
    func `Written JSON is read back`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            var json = JSONWriter()
            Self.write(&json, &random, depth: 0)
            var again = JSONWriter()
            again.value(try JSONValue.parse(json.bytes))
            #expect(again.bytes == json.bytes)
        }
    }

    private static func write(_ json: inout JSONWriter, _ random: inout SplitMix64, depth: Int) {
        switch Int.random(in: 0..<(depth < 4 ? 6 : 4), using: &random) {
        case 0: json.null()
        case 1: json.bool(.random(using: &random))
        case 2: json.number(.random(in: -1e9...1e9, using: &random))
        case 3: json.string(text(&random))
        case 4:
            let count = Int.random(in: 0...4, using: &random)
            json.array { json in
                for _ in 0..<count { write(&json, &random, depth: depth + 1) }
            }
        default:
            let count = Int.random(in: 0...4, using: &random)
            json.object { json in
                for _ in 0..<count {
                    json.key("a")
                    write(&json, &random, depth: depth + 1)
                }
            }
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0x11_0000
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
