import Sealing
import Testing

struct SealingKeysTests {
    private var random = SystemRandomNumberGenerator()
    private let secret = Array("72 beats".utf8)

    private func keys(_ lines: String...) throws -> SealingKeys {
        try #require(SealingKeys(lines.joined(separator: "\n")))
    }

    @Test mutating func `Sealed content opens with the same key in the same context`() throws {
        let keys = try keys(SealingKeys.newLine(1, using: &random))
        let sealed = keys.seal(secret, as: "vitals of 1", using: &random)
        #expect(keys.open(sealed, as: "vitals of 1") == secret)
        #expect(keys.open(sealed, as: "vitals of 2") == nil)
        #expect(!sealed.bytes.contains(secret))
    }

    @Test mutating func `Content with another key, or changed, does not open`() throws {
        let keys = try keys(SealingKeys.newLine(1, using: &random))
        let other = try self.keys(SealingKeys.newLine(1, using: &random))
        let sealed = keys.seal(secret, as: "", using: &random)
        #expect(other.open(sealed, as: "") == nil)
        for index in sealed.bytes.indices {
            var bytes = sealed.bytes
            bytes[index] ^= 1
            #expect(keys.open(.init(key: 1, bytes: bytes), as: "") == nil)
        }
        #expect(keys.open(.init(key: 2, bytes: sealed.bytes), as: "") == nil)
        #expect(keys.open(.init(key: 1, bytes: []), as: "") == nil)
    }

    @Test mutating func `The newest key seals, and older ones still open`() throws {
        let (first, second) = (
            SealingKeys.newLine(1, using: &random), SealingKeys.newLine(2, using: &random)
        )
        let old = try keys(first).seal(secret, as: "", using: &random)
        let keys = try keys("# rotated", second, "", first)
        #expect(keys.open(old, as: "") == secret)
        #expect(keys.seal(secret, as: "", using: &random).key == 2)
        #expect(keys.newest == 2 && keys.has(1) && !keys.has(3))
    }

    @Test mutating func `The same content is sealed differently each time`() throws {
        let keys = try keys(SealingKeys.newLine(1, using: &random))
        let sealed = (0..<100).map { _ in keys.seal(secret, as: "", using: &random).bytes }
        #expect(Set(sealed).count == 100)
    }

    @Test mutating func `Damaged keys are rejected`() {
        let line = SealingKeys.newLine(1, using: &random)
        #expect(SealingKeys("\(line), 2\(line.dropFirst())") != nil)
        for text in [
            "", "\n", "# nothing", "1", "1 abc", "0\(line.dropFirst())", "x\(line.dropFirst())",
            String(line.dropLast()), "\(line)A", "\(line)\n\(line)", "\(line) more",
        ] {
            #expect(SealingKeys(text) == nil, "\(text)")
        }
    }
}
