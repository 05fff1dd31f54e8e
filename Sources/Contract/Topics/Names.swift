/// The name of a user, device or service in topics: `[a-z0-9][a-z0-9_-]{1,31}`.
public struct Name: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    public static let maximumLength = 32
    /// ECMA 262.
    public static let pattern = "^[a-z0-9][a-z0-9_-]{1,31}$"
    /// The end of the sentence that refuses what is no name.
    static let rule =
        "must be 2 to 32 lower-case letters, digits, - or _, beginning with a letter or digit"

    /// Nil if the text is not such a name.
    public init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard (2...Name.maximumLength).contains(bytes.count), let first = bytes.first,
            Name.isAlphanumeric(first),
            bytes.allSatisfy({
                Name.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.text = String(text)
    }

    public static func < (left: Name, right: Name) -> Bool { left.text < right.text }
    public var description: String { text }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
}

/// The identifier of a group in topics: made by the server, 22 characters of base64url that hold
/// more than 128 random bits. A new one begins with a letter or a digit, so that no command line
/// takes it for an option.
public struct GroupKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 22, text.utf8.allSatisfy({ alphabet.contains($0) }) else {
            return nil
        }
        self.text = String(text)
    }

    public init(using random: inout some RandomNumberGenerator) {
        let letters = Array(alphabet)
        text = String(
            decoding: (0..<22).map { place in
                letters[Int(random.next(upperBound: UInt(place == 0 ? alphanumerics : 64)))]
            }, as: UTF8.self)
    }

    public static func < (left: GroupKey, right: GroupKey) -> Bool { left.text < right.text }
    public var description: String { text }
}

/// The number of letters and digits at the beginning of the alphabet.
private let alphanumerics = 62
/// base64url (RFC 4648, 5).
private let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8

/// An MQTT client id that can be a topic level: 1 to 128 bytes without `/`, `+`, `#` and control
/// characters.
public struct ClientID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init?(_ text: some StringProtocol) {
        guard (1...ClientID.maximumLength).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({
                !"/+#".unicodeScalars.contains($0) && $0.properties.generalCategory != .control
            })
        else { return nil }
        self.text = String(text)
    }

    /// Bytes.
    public static let maximumLength = 128

    /// Compares byte by byte, as the broker distinguishes clients, not by Unicode equivalence.
    public static func == (left: ClientID, right: ClientID) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    public var description: String { text }
}
