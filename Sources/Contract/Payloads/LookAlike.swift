internal import Foundation

/// What is left of a name when nothing counts that people do not see, or hardly: two names with the same
/// form look the same.
public struct LookAlike: Hashable, Sendable {
    private let form: String

    public init(_ name: String) {
        let folded = name.precomposedStringWithCompatibilityMapping.lowercased()
        var form = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars where scalar.isVisible {
            form.append(LookAlike.latin[scalar] ?? scalar)
        }
        self.form = String(form)
    }

    /// Letters of Cyrillic, Greek and Armenian, and digits, that look like a Latin letter: the most
    /// common of Unicode's confusables (UTS 39).
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        var pairs: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in [
            ("a", "\u{0430}\u{03b1}"), ("b", "\u{044c}\u{0432}"), ("c", "\u{0441}\u{03f2}"),
            ("d", "\u{0501}"), ("e", "\u{0435}\u{03b5}"), ("h", "\u{04bb}\u{043d}\u{0570}"),
            ("i", "\u{0456}\u{03b9}\u{0131}1l|"), ("j", "\u{0458}\u{03f3}"),
            ("k", "\u{043a}\u{03ba}"), ("m", "\u{043c}"), ("n", "\u{03b7}\u{0578}"),
            ("o", "\u{043e}\u{03bf}\u{03c3}\u{0585}0"), ("p", "\u{0440}\u{03c1}"),
            ("q", "\u{051b}"), ("s", "\u{0455}"), ("t", "\u{0442}\u{03c4}"),
            ("u", "\u{03c5}\u{057d}"), ("v", "\u{03bd}\u{0475}"), ("w", "\u{051d}\u{03c9}"),
            ("x", "\u{0445}\u{03c7}"), ("y", "\u{0443}\u{03b3}\u{04af}"),
        ] as [(Unicode.Scalar, String)] {
            for other in others.unicodeScalars { pairs[other] = letter }
        }
        return pairs
    }()
}
