internal import Base64
internal import Crypto
public import Languages
public import Tracking

/// A person's optional account details, by which others reach and recognise them, and the language
/// of their notifications.
public struct Profile: Hashable, Sendable {
    public var phone: PhoneNumber?
    public var phoneShownTo = PhoneVisibility.sos
    /// Nil: English.
    public var language: Language?
    /// The digest of the picture.
    public var avatar: String?

    public init(
        phone: PhoneNumber? = nil, phoneShownTo: PhoneVisibility = .sos,
        language: Language? = nil, avatar: String? = nil
    ) {
        (self.phone, self.phoneShownTo) = (phone, phoneShownTo)
        (self.language, self.avatar) = (language, avatar)
    }

    /// Returns the number, if a group may see it.
    public func phone(in state: Session.State) -> PhoneNumber? {
        state == .sos || phoneShownTo == .groups ? phone : nil
    }
}

/// The time when a person's groups see their phone number.
public enum PhoneVisibility: String, Hashable, Sendable, CaseIterable {
    /// While they are in an SOS.
    case sos
    /// Always.
    case groups
}

/// A phone number in the international form (ITU-T E.164), as dialled: `+38612345678`.
public struct PhoneNumber: Hashable, Sendable {
    public let text: String

    /// Removes spaces, dashes, dots and brackets. Nil unless a plus sign and 4 to 15 digits remain.
    public init?(_ text: String) {
        guard text.utf8.count <= PhoneNumber.maximumLength else { return nil }
        let kept = text.unicodeScalars.filter { !PhoneNumber.separators.contains($0) }
        guard kept.first == "+", (4...15).contains(kept.count - 1),
            kept.dropFirst().allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        self.text = String(String.UnicodeScalarView(kept))
    }

    private static let maximumLength = 64
    private static let separators = Set<Unicode.Scalar>(" -.()/\u{A0}\u{2011}".unicodeScalars)
}

/// A person's picture: 64 × 64 pixels, each red, green and blue. There is no format to parse, and
/// no other content.
public struct Avatar: Hashable, Sendable {
    public static let side = 64
    public static let size = side * side * 3

    /// The picture as it is served.
    public let png: [UInt8]

    /// Nil unless the number of bytes is exact.
    public init?(pixels: [UInt8]) {
        guard pixels.count == Avatar.size else { return nil }
        png = PNG.encode(pixels, side: Avatar.side)
    }

    /// Identifies the picture.
    public var digest: String {
        Base64URL.encode(Array(SHA256.hash(data: png).prefix(12)))
    }
}

extension Kind where Value == PhoneNumber {
    static let phoneNumber = Kind.text(
        orRefuse: "must be +, the country code and the number"
    ) { PhoneNumber($0) }
}

extension Kind where Value == Avatar {
    static let avatar = Kind.text(
        orRefuse: "must be \(Avatar.side) × \(Avatar.side) pixels of 3 bytes in base64"
    ) { text in Base64.decode(text).flatMap { Avatar(pixels: $0) } }
}
