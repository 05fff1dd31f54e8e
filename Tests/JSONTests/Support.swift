extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

struct NotANumber: Error {}

/// A hundred different seeds, and the same every time: a failure names its own.
let seeds = (0..<100).map { UInt64(20_260_501 + $0 * 7919) }
