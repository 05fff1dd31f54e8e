import Sealing
import Tracking

/// Encrypted content, and keys.
enum Sealed {
    /// The keys with which the corpus was sealed, and no other installation has.
    static let keys: SealingKeys? = SealingKeys(
        """
        1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8
        2 Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA
        """)

    /// Lines: the file of keys, with commas instead of line breaks, the number of a key, and what the
    /// content is about; the rest is encrypted, or an envelope, or the key of envelopes.
    static func open(_ bytes: [UInt8]) throws {
        guard let keys else { throw Finding("these are keys") }
        let lines = Lines(3, of: bytes)
        let (context, rest) = (lines.heads[2], lines.rest)
        if let read = SealingKeys(lines.heads[0]) {
            try expect(read.has(read.newest) && read.newest > 0, "the newest key is there")
            try expect(read.marks(of: context).first == read.mark(of: context), "it marks")
        }
        let number = Int64(lines.heads[1]) ?? 0
        let found = keys.open(SealingKeys.Sealed(key: number, bytes: rest), as: context)
        try expect(found == nil || keys.has(number), "what is opened has its key")
        var opener = EnvelopeOpener(keys)
        let content = opener.open(rest, as: context)
        try expect(
            content == nil || EnvelopeOpener.isEnvelope(rest), "what is opened is an envelope")
        try expect(opener.open(rest, as: context) == content, "it is opened again")
        if let key = EnvelopeKey(rest) {
            try expect(key.bytes == rest, "a key is written as it was read")
            if var sealer = EnvelopeSealer(to: key) {
                try expect(sealer.seal(rest, as: context) != nil, "it seals")
            }
        }
        try seal(rest, as: context, keys)
    }

    /// Sealed content is opened, and nothing else is.
    private static func seal(_ content: [UInt8], as context: String, _ keys: SealingKeys) throws {
        var random = SplitMix64(seed: UInt64(content.count))
        let sealed = keys.seal(content, as: context, using: &random)
        try expect(keys.open(sealed, as: context) == content, "sealed content is opened")
        try expect(keys.open(sealed, as: context + "x") == nil, "another context does not open it")
        var bytes = sealed.bytes
        let place = content.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % bytes.count
        bytes[place] ^= 1
        let changed = SealingKeys.Sealed(key: sealed.key, bytes: bytes)
        try expect(keys.open(changed, as: context) == nil, "what was changed is not opened")
    }
}
