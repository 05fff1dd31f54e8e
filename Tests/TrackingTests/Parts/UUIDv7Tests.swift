import TestSupport
import Testing
import Tracking

struct UUIDv7Tests {
    /// RFC 9562, A.6.
    @Test func `A UUID has the form of the standard's example`() throws {
        let id = UUIDv7(
            at: Timestamp(milliseconds: 1_645_557_742_000),
            random: (0xCC3, 0x18C4_DC0C_0C07_398F))
        #expect(id.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
        #expect(id.time == Timestamp(milliseconds: 1_645_557_742_000))
        #expect(UUIDv7("017f22e2-79b0-7cc3-98c4-dc0c0c07398f") == id)
        #expect(UUIDv7("017F22E2-79B0-7CC3-98C4-DC0C0C07398F") == id)
    }

    @Test(arguments: [UInt64.min, .max])
    func `Version and variant are above the random bits`(_ bits: UInt64) {
        let id = UUIDv7(at: Timestamp(milliseconds: 0), random: (bits, bits))
        #expect(id.high >> 12 & 15 == 7)
        #expect(id.low >> 62 == 2)
        #expect(id.time == Timestamp(milliseconds: 0))
    }

    @Test(arguments: [
        "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff",
        "017f22e279b07cc398c4dc0c0c07398f", "017f22e2-79b0-7cc3-98c4_dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "{17f22e2-79b0-7cc3-98c4-dc0c0c07398}",
        "017f22e-279b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c0739é",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398 ", "----\u{0}-------------------------------",
    ])
    func `An invalid UUID is rejected`(_ text: String) {
        #expect(UUIDv7(text) == nil)
    }

    @Test(arguments: seeds)
    func `The text sorts by time and is parsed to the same UUID`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var time: Int64 = 0
        var before = UUIDv7(at: Timestamp(milliseconds: 0), random: (0, 0))
        for _ in 0..<100 {
            time += Int64.random(in: 1...1_000_000_000, using: &random)
            let id = UUIDv7(
                at: Timestamp(milliseconds: time), random: (random.next(), random.next()))
            #expect(before < id)
            #expect(before.description < id.description)
            #expect(UUIDv7(id.description) == id)
            #expect(id.time.milliseconds == time)
            before = id
        }
    }

    @Test(arguments: seeds)
    func `Each UUID is greater than the one before, wherever the clock is`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var time: Int64 = 1_000_000
        var last: UUIDv7?
        for _ in 0..<1000 {
            time = max(0, time + Int64.random(in: -5...5, using: &random))
            // Bits near the ends, where there is no room.
            let choices: [UInt64] = [random.next(), 0, .max, .max - 1]
            let bits = choices.randomElement(using: &random) ?? 0
            let id = UUIDv7(
                after: last, at: Timestamp(milliseconds: time), random: (bits, bits))
            #expect(last.map { $0 < id } ?? true)
            #expect(id.high >> 12 & 15 == 7)
            #expect(id.low >> 62 == 2)
            #expect(id.time.milliseconds >= time)
            #expect(UUIDv7(id.description) == id)
            last = id
        }
        #expect(last.map { $0.time.milliseconds < time + 1000 } ?? false)
    }

    @Test func `A decision always has the same name, and no other decision has it`() {
        let now = Timestamp.midnight
        var names: Set<UUIDv7> = []
        for user in 1...100 {
            for number in 1...100 {
                let user = UserID(rawValue: Int64(user))
                let name = UUIDv7(at: now, user: user, number: Int64(number))
                #expect(name == UUIDv7(at: now, user: user, number: Int64(number)))
                names.insert(name)
            }
        }
        #expect(names.count == 10_000)
    }

    @Test(arguments: [Int64.min, -1, 0])
    func `A UUID from before 1970 has the time 0`(_ milliseconds: Int64) {
        let id = UUIDv7(at: Timestamp(milliseconds: milliseconds), random: (1, 1))
        #expect(id.time == Timestamp(milliseconds: 0))
    }

    /// The reference implementation's first numbers (S. Vigna, splitmix64.c).
    @Test func `SplitMix64 gives the published numbers`() {
        var random = SplitMix64(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
