internal import Crypto

/// The party that a passkey is for: the page, by its host and its origin.
public struct RelyingParty: Hashable, Sendable {
    /// The host, which passkeys are bound to.
    public let id: String
    /// As browsers write it: `https://kith.example.org`.
    public let origin: String

    /// - Returns: nil if browsers allow no passkeys there: they require https and a name, or this
    ///   machine by the name `localhost`.
    public init?(origin: String) {
        guard let scheme = ["https://", "http://"].first(where: origin.hasPrefix) else {
            return nil
        }
        let parts = origin.dropFirst(scheme.count)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, parts.dropFirst().allSatisfy({ RelyingParty.isPort($0) })
        else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(RelyingParty.isLabel), let last = labels.last,
            // Otherwise it is an address.
            !last.utf8.allSatisfy({ RelyingParty.digits.contains($0) }),
            scheme == "https://" || last == "localhost"
        else { return nil }
        (id, self.origin) = (String(host), origin)
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { digits.contains($0) }
    }

    /// Returns whether this is a label as browsers write it: in lower case, and non-ASCII ones in
    /// Punycode.
    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    var hash: [UInt8] { Array(SHA256.hash(data: Array(id.utf8))) }
}
