internal import Foundation
internal import JSON
public import Tracking
public import WebPush

/// What a device may ask for about its owner's channels.
public enum ChannelCommand: AreaCommand {
    case add(ChannelTarget, label: DisplayName?)
    case confirm(UUIDv7, code: String)
    case list
    case update(UUIDv7, news: Set<News>?, label: DisplayName?, quiet: Quiet?)
    case test(UUIDv7)
    case remove(UUIDv7)

    /// What is to become of a channel's quiet hours.
    public enum Quiet: Sendable {
        case never
        case hours(QuietHours)
    }

    /// The digits of a code that is sent to an address.
    public static let codeLength = 8

    static func add(_ fields: inout Fields) -> ChannelCommand? {
        let label = fields["label"] == nil ? nil : fields.displayName("label")
        let text = fields.string("kind")
        let kind = text.flatMap { ChannelKind(rawValue: $0) }
        if text != nil, kind == nil {
            fields.refuse("kind", "must be one of \(ChannelKind.words)")
        }
        let subscription = fields.read("subscription", if: kind == .push) { fields in
            fields.nested("subscription") { fields in fields.pushSubscription() }
        }
        let address = fields.read("address", if: kind == .mail) { $0.email("address") }
        if let address, !address.text.utf8.allSatisfy({ $0 < 0x80 }) {
            fields.refuse("address", "must be written in ASCII, to be sent mail")
        }
        let url = fields.read("url", if: kind == .webhook) { $0.webhook("url") }
        let target: ChannelTarget? =
            switch kind {
            case .push: subscription.map { .push($0) }
            case .mail: address.map { .mail($0) }
            case .webhook: url.map { .webhook($0) }
            case nil: nil
            }
        return target.map { .add($0, label: label) }
    }

    static func confirm(_ fields: inout Fields) -> ChannelCommand? {
        let (channel, text) = (fields.uuid("channel"), fields.string("code"))
        // People copy it with the spaces that make it readable.
        let code = text?.filter { !$0.isWhitespace }
        if let code, code.utf8.count != codeLength || !code.allSatisfy(\.isASCIIDigit) {
            fields.refuse("code", "must be \(codeLength) digits")
            return nil
        }
        guard let channel, let code else { return nil }
        return .confirm(channel, code: code)
    }

    static func update(_ fields: inout Fields) -> ChannelCommand? {
        let channel = fields.uuid("channel")
        let label = fields["label"] == nil ? nil : fields.displayName("label")
        let news = fields["news"] == nil ? nil : fields.news("news")
        let quiet: Quiet? =
            fields.isNull("quiet")
            ? .never
            : fields["quiet"] == nil ? nil : fields.quietHours("quiet").map { .hours($0) }
        return channel.map { .update($0, news: news, label: label, quiet: quiet) }
    }
}

/// Kinds of places where somebody is reached while nothing of theirs is connected.
public enum ChannelKind: String, Hashable, Sendable, CaseIterable {
    /// A browser (Web Push, RFC 8030).
    case push
    /// An address (SMTP).
    case mail
    /// A server of their own (Standard Webhooks).
    case webhook

    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// Where exactly.
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

    /// By which the same place is known.
    public var address: String {
        switch self {
        case .push(let subscription): subscription.endpoint
        case .mail(let address): address.text
        case .webhook(let url): url
        }
    }
}

/// What a person may be told about on a channel.
public enum News: String, Hashable, Sendable, CaseIterable {
    /// Calls for help, and their end: always, on all channels.
    case sos
    /// Somebody is late, has not moved, is offline or silent.
    case alerts
    /// Journeys begin and end as planned.
    case journeys
    /// Notices for the person.
    case notices

    /// Unless the person has chosen otherwise.
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

extension Fields {
    /// Reads a field that must be there under a condition, and must be right in any case.
    fileprivate mutating func read<Value>(
        _ field: String, if isNeeded: Bool, _ read: (inout Fields) -> Value?
    ) -> Value? {
        isNeeded || self[field] != nil ? read(&self) : nil
    }

    /// Without a network an address cannot be judged further: whoever connects does that.
    fileprivate mutating func webhook(_ field: String) -> String? {
        guard let text = string(field) else { return nil }
        if let reason = URLRule.complaint(about: text, schemes: ["https", "http"]) {
            refuse(field, reason)
            return nil
        }
        return text
    }

    fileprivate mutating func pushSubscription() -> PushSubscription? {
        let endpoint = string("endpoint")
        let keys = nested("keys") { fields in (fields.string("p256dh"), fields.string("auth")) }
        guard let endpoint, let keys, let publicKey = keys.0, let secret = keys.1 else {
            return nil
        }
        do {
            return try PushSubscription(endpoint: endpoint, p256dh: publicKey, auth: secret)
        } catch {
            switch error {
            case .publicKey: refuse("keys.p256dh", "must be a point of P-256 in base64url")
            case .authenticationSecret: refuse("keys.auth", "must be 16 bytes in base64url")
            default:
                refuse("endpoint", "must be an https address, as the browser gives it")
            }
            return nil
        }
    }

    fileprivate mutating func news(_ field: String) -> Set<News>? {
        guard let value = self[field], case .array(let values) = value else {
            refuse(field, "must be an array")
            return nil
        }
        var news: Set<News> = [.sos]
        for value in values {
            guard case .string(let text) = value, let kind = News(rawValue: text) else {
                let words = News.allCases.map(\.rawValue).joined(separator: ", ")
                refuse(field, "must contain nothing but \(words)")
                return nil
            }
            news.insert(kind)
        }
        return news
    }
}

/// What an address must be like to be sent something.
enum URLRule {
    static let maximumLength = 1_024

    /// Returns the reason against it, as the end of a sentence.
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
