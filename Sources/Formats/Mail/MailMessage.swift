/// A message of plain text to one person (RFC 5322, RFC 2045), marked as sent by a program
/// (RFC 3834), so that absence notes and lists do not answer it.
public struct MailMessage: Sendable {
    public let from: Mailbox
    public let to: Mailbox
    public let subject: String
    /// Any text; lines end with LF or with CR and LF.
    public let text: String
    /// Identifies repeats: unique, and the same each time the message is sent; with the sender's
    /// domain it becomes the `Message-ID`.
    public let id: String
    /// Seconds since 1970.
    public let date: Int64
    /// Whether mail programs should put it first.
    public let isUrgent: Bool
    /// An https URL that ends such mail when it is posted to (RFC 8058).
    public let unsubscribe: String?

    /// - Parameters:
    ///   - subject: at most 1,000 bytes; control characters become spaces.
    ///   - id: letters, digits and other characters of an address, with dots between them.
    public init(
        from: Mailbox, to: Mailbox, subject: String, text: String, id: String, date: Int64,
        isUrgent: Bool = false, unsubscribe: String? = nil
    ) throws(MailError) {
        guard subject.utf8.count <= HeaderText.maximumLength else { throw .tooLong }
        guard id.utf8.count <= 200, Mailbox.isDotAtom(id.utf8) else { throw .identifier }
        if let unsubscribe {
            guard unsubscribe.hasPrefix("https://"), unsubscribe.utf8.count <= 900,
                unsubscribe.utf8.allSatisfy({
                    (0x21...0x7E).contains($0) && !"<>".utf8.contains($0)
                })
            else { throw .link }
        }
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.id = id
        self.date = date
        self.isUrgent = isUrgent
        self.unsubscribe = unsubscribe
    }

    /// The message as passed to a mail server: ASCII, each line ended by CR and LF.
    public var bytes: [UInt8] {
        let domain = from.address.drop { $0 != "@" }
        var head = [
            "Date: \(MailDate.text(date))", "From: \(from.headerValue)", "To: \(to.headerValue)",
            "Message-ID: <\(id)\(domain)>", "Subject: \(HeaderText.unstructured(subject))",
            "Auto-Submitted: auto-generated",
        ]
        if isUrgent { head += ["Importance: high", "X-Priority: 1"] }
        if let unsubscribe {
            head += [
                "List-Unsubscribe: <\(unsubscribe)>",
                "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            ]
        }
        head += [
            "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
        ]
        let lines = head.map { $0 + "\r\n" }.joined()
        return Array((lines + "\r\n" + QuotedPrintable.encode(text)).utf8)
    }
}
