import Contract
import Crypto
import Foundation

/// Conversion of a directory's names.
enum DirectoryName {
    /// Converts an organisation's user name to the characters of ours: `Anna.Müller@uni` is
    /// `anna-mueller`. Empty if no letter of it can be written so.
    ///
    /// Directories treat many spellings as equal (RFC 4518); spellings equal to them convert to the
    /// same name.
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

    /// Letters that are written with others, and those that no accent derives from another letter.
    private static let letters: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ð": "d",
        "þ": "th", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ŋ": "n", "ŧ": "t",
    ]

    /// Returns user names for a person, the best first. Only the first can be that of an account
    /// outside the directory.
    ///
    /// - Parameter entry: identifies the directory's entry.
    static func candidates(for user: String, entry: String) -> some Sequence<Name> {
        var base = plain(user)
        if base.count < 2 {
            // The base is too short: append the same four bytes for the same entry.
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

    /// The maximum length of a user name.
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
    /// Returns the key by which password attempts are counted: the same for all logins that a
    /// directory may treat as equal, with or without accents.
    static func key(_ text: String) -> String {
        var key = plain(text)
        for letter in ["a", "o", "u"] { key = key.replacing(letter + "e", with: letter) }
        return key
    }
}
