/// A person's address, and the name that is shown for it (RFC 5322, 3.4).
public struct Mailbox: Hashable, Sendable {
    /// Any name of a person; characters that a header cannot contain are encoded, and control
    /// characters become spaces.
    public let name: String?
    public let address: String

    /// - Parameter address: ASCII: a local part without quotes, and a domain.
    public init(_ address: String, name: String? = nil) throws(MailError) {
        let parts = address.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard address.utf8.count <= 254, parts.count == 2, Mailbox.isDotAtom(parts[0]),
            Mailbox.isDotAtom(parts[1])
        else { throw .address }
        if let name, name.utf8.count > HeaderText.maximumLength { throw .tooLong }
        self.name = name
        self.address = address
    }

    /// RFC 5322, 3.2.3: words of its `atext`, with dots between them.
    static func isDotAtom(_ text: some Sequence<UInt8>) -> Bool {
        let words = Array(text).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isOfAtom) }
    }

    private static func isOfAtom(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }

    var headerValue: String {
        guard let name, !name.isEmpty else { return "<\(address)>" }
        return "\(HeaderText.phrase(name))\r\n <\(address)>"
    }
}
