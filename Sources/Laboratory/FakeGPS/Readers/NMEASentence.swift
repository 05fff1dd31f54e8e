internal import Numbers

/// One line of NMEA 0183: `$GPRMC,…*hh`, from any talker.
struct NMEASentence {
    /// `RMC`, `GGA` and so on, without the talker.
    let kind: Substring
    /// The fields after the kind.
    let fields: [Substring]

    /// The standard's limit is 82; some receivers write more.
    private static let maximumLength = 256

    /// Nil if the line is not a sentence or its checksum is wrong: serial lines lose bytes.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.count <= NMEASentence.maximumLength, line.first == UInt8(ascii: "$"),
            let star = line.lastIndex(of: UInt8(ascii: "*"))
        else { return nil }
        let content = line[(line.startIndex + 1)..<star]
        let digits = String(decoding: line[(star + 1)...], as: UTF8.self)
            .trimmingSuffix(while: \.isWhitespace)
        guard digits.utf8.count == 2, UInt8(digits, radix: 16) == content.reduce(0, ^),
            content.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let words = String(decoding: content, as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
        // The first two letters are the talker: GP, GL, GA, GN…
        guard let address = words.first, address.utf8.count == 5 else { return nil }
        kind = address.suffix(3)
        fields = Array(words.dropFirst())
    }

    /// Nil if the field is empty, missing or not a number.
    func number(_ index: Int) -> Double? {
        guard index < fields.count, let value = Double(fields[index]), value.isFinite else {
            return nil
        }
        return value
    }

    func text(_ index: Int) -> Substring { index < fields.count ? fields[index] : "" }

    /// Returns degrees, from degrees and minutes with a letter in the next field: `4807.038,N`.
    func angle(_ index: Int) -> Double? {
        guard let value = number(index), value >= 0 else { return nil }
        let degrees = (value / 100).rounded(.down)
        let minutes = value - degrees * 100
        guard minutes < 60 else { return nil }
        switch text(index + 1) {
        case "N", "E": return degrees + minutes / 60
        case "S", "W": return -(degrees + minutes / 60)
        default: return nil
        }
    }

    /// Returns milliseconds since midnight UTC, from `hhmmss.sss`.
    func timeOfDay(_ index: Int) -> Int64? {
        guard let value = number(index), (0..<240_000).contains(value) else { return nil }
        let whole = Int64(clamping: value)
        let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
        guard minutes < 60, seconds <= 60 else { return nil }
        let fraction = Int64(clamping: ((value - Double(whole)) * 1000).rounded())
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction
    }
}

extension String {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, condition(last) { rest.removeLast() }
        return rest
    }
}
