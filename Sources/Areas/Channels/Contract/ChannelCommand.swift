internal import Foundation
internal import JSON
public import Tracking
public import WebPush

/// A device's requests about its owner's channels.
public enum ChannelCommand: AreaCommand {
    case add(ChannelTarget, label: DisplayName?)
    case confirm(UUIDv7, code: String)
    case list
    case update(UUIDv7, news: Set<News>?, label: DisplayName?, quiet: Quiet?)
    case test(UUIDv7)
    case remove(UUIDv7)

    /// A change of a channel's quiet hours.
    public enum Quiet: Sendable {
        case never
        case hours(QuietHours)
    }

    /// The number of digits in a code sent to an address.
    public static let codeLength = 8

    private static let target: Form<ChannelTarget> =
        .cases("kind", of: ChannelKind.self) { kind in
            switch kind {
            case .push: Form("subscription", .subscription).map { .push($0) }
            case .mail: Form("address", .mailAddress).map { .mail($0) }
            case .webhook: Form("url", .webhook).map { .webhook($0) }
            }
        }

    private static let label = Form("label", .displayName).ifPresent

    static let addition = Form(target, label) { ChannelCommand.add($0, label: $1) }

    static let confirmation = Form(Form("channel", .uuid), Form("code", .digits)) {
        ChannelCommand.confirm($0, code: $1)
    }

    static let change = Form(
        Form("channel", .uuid), Form("news", .news).ifPresent, label,
        Form(
            "quiet", .quietHours,
            "daily hours in which everything but calls for help is held back, such as from "
                + "`22:00` to `07:00`, `null` for none"
        ).orNull.map { Quiet($0) }
    ) { channel, news, label, quiet in
        ChannelCommand.update(channel, news: news, label: label, quiet: quiet)
    }
}

extension ChannelCommand.Quiet {
    fileprivate init?(_ edit: Edit<QuietHours>) {
        switch edit {
        case .keep: return nil
        case .remove: self = .never
        case .set(let hours): self = .hours(hours)
        }
    }
}

/// The kinds of channels.
public enum ChannelKind: String, Hashable, Sendable, CaseIterable {
    /// A browser (Web Push, RFC 8030).
    case push
    /// A mail address (SMTP).
    case mail
    /// The user's own server (Standard Webhooks).
    case webhook
}

/// The destination of a channel.
public enum ChannelTarget: Sendable {
    case push(PushSubscription)
    case mail(EmailAddress)
    /// An http or https address.
    case webhook(String)

    public var kind: ChannelKind {
        switch self {
        case .push: .push
        case .mail: .mail
        case .webhook: .webhook
        }
    }

    /// The address that identifies the destination.
    public var address: String {
        switch self {
        case .push(let subscription): subscription.endpoint
        case .mail(let address): address.text
        case .webhook(let url): url
        }
    }
}

/// The kinds of news that a channel can receive.
public enum News: String, Hashable, Sendable, CaseIterable {
    /// Calls for help and their end: always, on all channels.
    case sos
    /// A person is late, has not moved, is offline or silent.
    case alerts
    /// Planned beginnings and ends of journeys.
    case journeys
    /// Notices for the person.
    case notices

    /// The default.
    public static let usual: Set<News> = [.sos, .alerts, .notices]

    public init(_ kind: Alert.Kind) {
        self =
            switch kind {
            case .sos, .sosStopped, .sosLeft, .inNeed, .unanswered, .assisted: .sos
            case .late, .stuck, .offline, .silent, .vitalsSilent, .vitalsBack: .alerts
            case .journeyStarted, .journeyStopped, .journeyArrived, .moving, .online: .journeys
            }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Kind where Value == PushSubscription {
    private static let keys = Form(
        Form("p256dh", .text, "a point of P-256 in base64url"),
        Form("auth", .text, "16 bytes in base64url")
    ) { (publicKey: $0, secret: $1) }

    /// The subscription as the browser provides it.
    fileprivate static let subscription = Kind.object(
        Form(Form("endpoint", .text, "an https address"), Form("keys", .object(keys))) { ($0, $1) }
            .reading { subscription, fields, _ in
                let (endpoint, keys) = subscription
                do throws(WebPushError) {
                    return try PushSubscription(
                        endpoint: endpoint, p256dh: keys.publicKey, auth: keys.secret)
                } catch {
                    switch error {
                    case .publicKey:
                        fields.refuse("keys.p256dh", "must be a point of P-256 in base64url")
                    case .authenticationSecret:
                        fields.refuse("keys.auth", "must be 16 bytes in base64url")
                    default:
                        fields.refuse(
                            "endpoint", "must be an https address, as given by the browser")
                    }
                    return nil
                }
            })
}

extension Kind where Value == EmailAddress {
    fileprivate static let mailAddress = email.checked { address, _ in
        address.text.utf8.allSatisfy { $0 < 0x80 }
            ? nil : "must be in ASCII to receive mail"
    }
}

extension Kind where Value == String {
    /// An address is not resolved here; the connection checks it further.
    fileprivate static let webhook = Kind.text("an address of https or http, without a user name") {
        text throws(DisplayName.Reason) in
        if let reason = URLRule.complaint(about: text, schemes: ["https", "http"]) {
            throw DisplayName.Reason(text: reason)
        }
        return text
    }

    fileprivate static let digits = Kind.text(
        orRefuse: "must be \(ChannelCommand.codeLength) digits"
    ) { text in
        // The code may have been copied with the spaces that make it readable.
        let code = text.filter { !$0.isWhitespace }
        let isCode =
            code.utf8.count == ChannelCommand.codeLength && code.allSatisfy(\.isASCIIDigit)
        return isCode ? code : nil
    }
}

extension Kind where Value == Set<News> {
    private static let words = News.allCases.map(\.rawValue)

    /// Always includes calls for help.
    fileprivate static let news = Kind(.array(of: .choice(words))) { value, field, fields, _ in
        guard case .array(let values) = value else {
            fields.refuse(field, "must be an array")
            return nil
        }
        let news = values.compactMap { $0.text.flatMap { News(rawValue: $0) } }
        guard news.count == values.count else {
            fields.refuse(
                field, "must contain only \(words.joined(separator: ", "))")
            return nil
        }
        return Set(news).union([.sos])
    }
}

/// The requirements for a destination address.
enum URLRule {
    static let maximumLength = 1_024

    /// Returns the violated rule, as the end of a sentence.
    static func complaint(about text: String, schemes: [String]) -> String? {
        guard text.utf8.count <= maximumLength else {
            return "must have at most \(maximumLength) bytes"
        }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), schemes.contains(scheme),
            let host = url.host(), !host.isEmpty, url.user == nil, url.password == nil,
            url.fragment == nil
        else {
            return "must be an address that begins with \(schemes[0])://, without a user name"
        }
        return nil
    }
}
