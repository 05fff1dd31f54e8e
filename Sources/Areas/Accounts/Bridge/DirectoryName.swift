import Contract
import Crypto
import Foundation

/// What names of a directory become here.
enum DirectoryName {
    /// What people are called in the user names of their organisation, in the characters of ours:
    /// `Anna.Müller@uni` is `anna-mueller`. Empty if no letter of it can be written so.
    ///
    /// Directories take many spellings for one (RFC 4518): whatever they hold for the same becomes the
    /// same here.
    static func plain(_ text: String) -> String {
        var folded = text.lowercased()
        if let at = folded.firstIndex(of: "@"), at > folded.startIndex {
            folded = String(folded[..<at])
        }
        var name = ""
        let composed = folded.precomposedStringWithCompatibilityMapping.lowercased()
        for scalar in composed.unicodeScalars {
            if let letters = letters[scalar] {
                name += letters
                continue
            }
            for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
                switch part {
                case "a"..."z", "0"..."9", "_": name.unicodeScalars.append(part)
                default:
                    if isNothing(part) { continue }
                    if !name.isEmpty, !name.hasSuffix("-") { name += "-" }
                }
            }
        }
        return String(name.trimmingPrefix { "-_".contains($0) }.trimmingSuffix { $0 == "-" })
    }

    private static func isNothing(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .control, .format: return true
        default: return false
        }
    }

    /// Letters that are written with others, and those of which no accent makes another one.
    private static let letters: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ð": "d",
        "þ": "th", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t",
    ]

    /// The user names for somebody, the best first. Only the first can be that of an account which is
    /// none of the directory's.
    ///
    /// - Parameter entry: by what the directory's entry is recognised.
    static func candidates(for user: String, entry: String) -> some Sequence<Name> {
        var base = plain(user)
        if base.count < 2 {
            // Nothing legible is left: the same four bytes for the same entry.
            let digest = SHA256.hash(data: Array(entry.utf8)).prefix(4)
            let hex = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            base = "user-" + (base.isEmpty ? "" : base + "-") + hex.joined()
        }
        return (1...maximumCandidates).lazy.compactMap { number in
            guard number > 1 else { return Name(String(base.prefix(longest))) }
            let suffix = "-\(number)"
            return Name(base.prefix(longest - suffix.count) + suffix)
        }
    }

    /// Of a user name.
    private static let longest = 32
    static let maximumCandidates = 999
}

extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}

extension DirectoryName {
    /// What attempts at a password are counted by: what a directory may take for one and the same,
    /// with accents or without.
    static func key(_ text: String) -> String {
        var key = plain(text)
        for letter in ["a", "o", "u"] { key = key.replacing(letter + "e", with: letter) }
        return key
    }
}
