public import Contract
public import Transfer

/// How messages leave for channels. `docs/configuration.md` lists the keys.
public struct ChannelSettings: Sendable {
    /// Where the page is, for links in mails: `https://kith.example.org`.
    public var page: String?
    /// Whom the push services can turn to: a `mailto:` or `https:` address (RFC 8292).
    public var contact: String?
    /// Networks beside the public ones to which may be sent.
    public var networks: [AddressBlock] = []
    /// A file with the certificates of authorities that receivers are checked against; nil: the
    /// system's.
    public var authorities: String?
    /// Nil: no mail is sent.
    public var mail: Mail?

    public struct Mail: Sendable {
        public var server: MailServer
        /// The sender's address.
        public var from: String

        public init(by server: MailServer, from: String) {
            (self.server, self.from) = (server, from)
        }
    }

    public init() {}

    /// Whether links can be sent to people's addresses.
    public var sendsLinks: Bool { mail != nil && page != nil }

    /// Where to send what goes to addresses that anybody may name.
    var addresses: AddressPolicy { .publicAddresses(besides: networks) }

    /// Whom push services can turn to; nil: nobody, and some of them refuse that. RFC 8292 (2.1) takes
    /// a page as well as a mailbox.
    var pushContact: String? {
        contact ?? page.flatMap { $0.hasPrefix("https:") ? $0 : nil }
    }

    /// The kinds of channels that people can have.
    public var offered: [ChannelKind] { ChannelKind.allCases.filter { reason(against: $0) == nil } }

    /// Why people cannot have a channel of this kind, as a sentence for them; nil if they can.
    public func reason(against kind: ChannelKind) -> String? {
        switch kind {
        case .push where pushContact == nil:
            "This installation notifies no browsers: whoever runs it has to set web.origin, with "
                + "https, or channels.contact."
        case .mail where mail == nil: "This installation has no server to send mail with."
        case .push, .mail, .webhook: nil
        }
    }
}
