import Sealing
import Testing

struct EnvelopeTests {
    private var random = SystemRandomNumberGenerator()
    private let secret = Array("72 beats".utf8)

    private mutating func keys(_ ids: Int64...) throws -> SealingKeys {
        let lines = ids.map { SealingKeys.newLine($0, using: &random) }
        return try #require(SealingKeys(lines.joined(separator: "\n")))
    }

    private func sealer(_ keys: SealingKeys) throws -> EnvelopeSealer {
        let key = try #require(keys.envelopeKey)
        #expect(EnvelopeKey(key.bytes) == key)
        return try #require(EnvelopeSealer(to: key))
    }

    @Test mutating func `Envelopes open in any order with the right keys and context`() throws {
        let keys = try keys(1)
        var (first, second) = (try sealer(keys), try sealer(keys))
        var sealed: [[UInt8]] = []
        for number: UInt8 in 0..<20 {
            let envelope =
                number % 2 == 0
                ? first.seal(secret + [number], as: "a") : second.seal(secret + [number], as: "a")
            sealed.append(try #require(envelope))
        }
        #expect(Set(sealed).count == 20)
        #expect(sealed.allSatisfy { EnvelopeOpener.isEnvelope($0) && !$0.contains(secret) })
        #expect(!EnvelopeOpener.isEnvelope(Array("{}".utf8)) && !EnvelopeOpener.isEnvelope([]))
        var opener = EnvelopeOpener(keys)
        for number in (0..<20).reversed() {
            #expect(opener.open(sealed[number], as: "a") == secret + [UInt8(number)])
            #expect(opener.open(sealed[number], as: "b") == nil)
        }
    }

    @Test mutating func `An envelope with another key, changed or truncated, does not open`() throws
    {
        let keys = try keys(1)
        var sealer = try sealer(keys)
        let envelope = sealer.seal(secret, as: "")
        let sealed = try #require(envelope)
        var (stranger, opener) = (EnvelopeOpener(try self.keys(1)), EnvelopeOpener(keys))
        #expect(stranger.open(sealed, as: "") == nil)
        for index in sealed.indices {
            var bytes = sealed
            bytes[index] ^= 1
            #expect(opener.open(bytes, as: "") == nil)
            #expect(opener.open(Array(sealed.prefix(index)), as: "") == nil)
        }
        #expect(opener.open(sealed, as: "") == secret)
    }

    @Test mutating func `The newest key seals, and older ones still open`() throws {
        let line = SealingKeys.newLine(1, using: &random)
        let old = try #require(SealingKeys(line))
        var sealer = try sealer(old)
        let envelope = sealer.seal(secret, as: "")
        let sealed = try #require(envelope)
        let both = try #require(
            SealingKeys(line + "\n" + SealingKeys.newLine(2, using: &random)))
        #expect(both.envelopeKey?.id == 2)
        var opener = EnvelopeOpener(both)
        #expect(opener.open(sealed, as: "") == secret)
    }

    @Test func `An invalid key is rejected`() {
        #expect(EnvelopeKey([]) == nil && EnvelopeKey(Array(repeating: 1, count: 39)) == nil)
    }
}
