public import Tracking

/// The token of a subject other than a user's device: `{username}.{secret}`. The username
/// identifies the subject, in the form of its kind.
public struct SubjectToken<Kind: SubjectTokenKind>: Hashable, Sendable, CustomStringConvertible {
    public let subject: Kind.Subject
    public let secret: TokenSecret

    public init(_ subject: Kind.Subject, secret: TokenSecret) {
        self.subject = subject
        self.secret = secret
    }

    public init(_ subject: Kind.Subject, using random: inout some RandomNumberGenerator) {
        self.init(subject, secret: TokenSecret(using: &random))
    }

    /// Nil for anything not written exactly like ``text``.
    public init?(_ text: some StringProtocol) {
        let parts = tokenParts(text)
        guard parts.count == 2,
            let subject = SubjectToken.subject(ofUsername: String(parts[0])),
            let secret = TokenSecret(parts[1])
        else { return nil }
        self.init(subject, secret: secret)
    }

    /// The token, for its owner only.
    public var text: String { "\(username).\(secret.text)" }
    /// The username for connecting.
    public var username: String { SubjectToken.username(of: subject) }
    /// The hash that is stored.
    public var hash: [UInt8] { secret.hash }
    public func matches(_ hash: [UInt8]) -> Bool { secret.matches(hash) }

    public var description: String { "a token" }

    public static func username(of subject: Kind.Subject) -> String {
        Kind.prefix + Kind.text(of: subject)
    }

    /// Nil for anything not written exactly like ``username(of:)``.
    public static func subject(ofUsername text: String) -> Kind.Subject? {
        guard text.utf8.starts(with: Kind.prefix.utf8) else { return nil }
        let rest = text.utf8.dropFirst(Kind.prefix.utf8.count)
        guard let subject = Kind.subject(String(Substring(rest))),
            Kind.text(of: subject).utf8.elementsEqual(rest)
        else { return nil }
        return subject
    }
}

/// A kind of subject tokens.
public protocol SubjectTokenKind {
    associatedtype Subject: Hashable, Sendable
    /// The prefix of the usernames.
    static var prefix: String { get }
    static func text(of subject: Subject) -> String
    /// May also accept other spellings.
    static func subject(_ text: String) -> Subject?
}

/// The token with which the bridge, the operator, the dispatch centre and the monitoring account
/// connect: `kith:bridge.{secret}`.
public typealias SystemToken = SubjectToken<SystemTokenKind>
/// The token with which a link's viewer sees its contents: `share:{share}.{secret}`.
public typealias ViewerToken = SubjectToken<ViewerTokenKind>
/// The token with which a company's service connects: `service:{service}.{secret}`.
public typealias ServiceToken = SubjectToken<ServiceTokenKind>
/// The token with which a program gets a group's view: `observer:{observer}.{secret}`.
public typealias ObserverToken = SubjectToken<ObserverTokenKind>

public enum SystemTokenKind: SubjectTokenKind {
    public static var prefix: String { "" }
    public static func text(of principal: Principal.System) -> String { principal.rawValue }
    public static func subject(_ text: String) -> Principal.System? {
        Principal.System(username: text)
    }
}

public enum ViewerTokenKind: SubjectTokenKind {
    public static var prefix: String { "share:" }
    public static func text(of share: UUIDv7) -> String { share.description }
    public static func subject(_ text: String) -> UUIDv7? { UUIDv7(text) }
}

public enum ServiceTokenKind: SubjectTokenKind {
    public static var prefix: String { "service:" }
    public static func text(of service: Name) -> String { service.text }
    public static func subject(_ text: String) -> Name? { Name(text) }
}

public enum ObserverTokenKind: SubjectTokenKind {
    public static var prefix: String { "observer:" }
    public static func text(of observer: UUIDv7) -> String { observer.description }
    public static func subject(_ text: String) -> UUIDv7? { UUIDv7(text) }
}

extension SubjectToken where Kind == SystemTokenKind {
    public var principal: Principal.System { subject }
}

extension SubjectToken where Kind == ViewerTokenKind {
    public var share: UUIDv7 { subject }
}

extension SubjectToken where Kind == ServiceTokenKind {
    public var service: Name { subject }
}

extension SubjectToken where Kind == ObserverTokenKind {
    public var observer: UUIDv7 { subject }
}
