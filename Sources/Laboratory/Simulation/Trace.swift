import Contract

/// A record of what happened, line by line: a digest of everything, and the last lines themselves.
final class Trace {
    /// The number of lines kept for a report.
    private static let kept = 60

    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var count = 0
    private var last: [String] = []
    private let echo: ((String) -> Void)?

    /// - Parameter echo: called with every line.
    init(echo: ((String) -> Void)?) { self.echo = echo }

    /// - Parameter payload: included in the digest, but not in the line.
    func note(_ line: String, _ payload: [UInt8] = []) {
        for byte in line.utf8 { combine(byte) }
        for byte in payload { combine(byte) }
        combine(0)
        count += 1
        if last.count >= 2 * Trace.kept { last.removeFirst(Trace.kept) }
        last.append(line)
        guard let echo else { return }
        let text = String(decoding: payload.prefix(400), as: UTF8.self)
        echo(text.isEmpty ? line : "\(line) \(text)")
    }

    var end: [String] { last.suffix(Trace.kept) }

    /// FNV-1a (Fowler–Noll–Vo).
    private func combine(_ byte: UInt8) {
        digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
