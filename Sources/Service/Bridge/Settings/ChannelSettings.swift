public import Contract
public import Transfer

/// The settings for sending to channels. `docs/configuration.md` lists the keys.
public struct ChannelSettings: Sendable {
    /// The page's address, for links in mails: `https://kith.example.org`.
    public var page: String?
    /// The contact for push services: a `mailto:` or `https:` address (RFC 8292).
    public var contact: String?
    /// Allowed destination networks besides the public ones.
    public var networks: [AddressBlock] = []
    /// A file with the certificates of trusted authorities; nil for the system's.
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

    /// The policy for addresses that users enter.
    var addresses: AddressPolicy { .publicAddresses(besides: networks) }

    /// The contact for push services; nil if there is none, which some of them refuse. RFC 8292
    /// (2.1) allows a page as well as a mailbox.
    var pushContact: String? {
        contact ?? page.flatMap { $0.hasPrefix("https:") ? $0 : nil }
    }

    /// The channel kinds that are available.
    public var offered: [ChannelKind] { ChannelKind.allCases.filter { reason(against: $0) == nil } }

    /// Returns why a channel kind is not available, as a sentence for users; nil if it is.
    public func reason(against kind: ChannelKind) -> String? {
        switch kind {
        case .push where pushContact == nil:
            "This installation does not notify browsers: its operator must set web.origin, with "
                + "https, or channels.contact."
        case .mail where mail == nil: "This installation has no mail server."
        case .push, .mail, .webhook: nil
        }
    }
}
