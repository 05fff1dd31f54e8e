extension String {
    /// Whether at most 30 combining marks follow each other: the Stream-Safe Text Format
    /// (UAX #15, 13).
    ///
    /// Swift compares, hashes and composes a text with the marks of each letter in order, and
    /// sorting them takes time in proportion to the square of their number: tens of thousands,
    /// which fit into one message, hold a thread for seconds. Text from outside is checked once,
    /// where it is read.
    public var isStreamSafe: Bool {
        // The first of all marks, U+0300, begins with 0xCC in UTF-8.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return true }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isMark ? run + 1 : 0
            guard run <= JSONParser.maximumMarks else { return false }
        }
        return true
    }
}

extension Unicode.Scalar {
    /// Whether it takes part in the order of marks: a canonical combining class other than 0, or
    /// one of the three letters of that class that decompose to nothing but marks.
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        switch value {
        case 0xF73, 0xF75, 0xF81: return true
        default: return properties.canonicalCombiningClass != .notReordered
        }
    }
}
