internal import Foundation

/// A name reduced to its visible differences: two names with the same form look the same.
public struct LookAlike: Hashable, Sendable {
    private let form: String

    public init(_ name: String) {
        var form = String.UnicodeScalarView()
        // Greek capitals resemble different letters than the small ones.
        for scalar in name.precomposedStringWithCompatibilityMapping.unicodeScalars {
            let letter = LookAlike.latin[scalar].map { String($0) } ?? String(scalar).lowercased()
            for small in letter.unicodeScalars where small.isVisible && !small.isHardlyVisible {
                form.append(LookAlike.latin[small] ?? small)
            }
        }
        self.form = String(form).replacing("rn", with: "m")
    }

    /// Letters and digits that resemble a Latin letter: the most common of Unicode's confusables
    /// (UTS 39) in Cyrillic, Greek, Armenian, Lisu and the phonetic alphabet. The page has the same
    /// (`pages/js/known/look-alike.js`).
    static let latin: [Unicode.Scalar: Unicode.Scalar] = {
        var pairs: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in [
            ("a", "аαΑɑᴀꓮ"), ("b", "ьвΒʙꓐ"), ("c", "сϲᴄꓚ"), ("d", "ԁᴅꓓ"), ("e", "еεΕᴇꓰ"),
            ("f", "ꜰꓝ"), ("g", "ɡɢꓖ"),
            ("h", "һнհΗʜꓧ"), ("i", "іιı1l|ΙɪꓲӀ"), ("j", "јϳᴊꓙ"), ("k", "кκΚᴋꓗ"), ("m", "мΜᴍꓟ"),
            ("n", "ηոΝɴꓠ"),
            ("o", "оοσօ0ΟᴏꓳО"), ("p", "рρΡᴘꓑ"), ("q", "ԛ"), ("r", "ʀꓣ"), ("s", "ѕꜱꓢ"),
            ("t", "тτΤᴛꓔ"), ("u", "υսᴜꓴ"),
            ("v", "νѵᴠꓦ"), ("w", "ԝωᴡꓪ"), ("x", "хχΧꓫ"), ("y", "уγүΥʏꓬ"), ("z", "Ζᴢꓜ"),
        ] as [(Unicode.Scalar, String)] {
            for other in others.unicodeScalars { pairs[other] = letter }
        }
        return pairs
    }()
}

extension Unicode.Scalar {
    /// A stroke through another letter, or a blank of Braille.
    fileprivate var isHardlyVisible: Bool {
        value == 0x2800 || (0x0334...0x0338).contains(value)
    }
}
