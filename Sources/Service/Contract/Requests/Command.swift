public import Tracking

/// A device's request, validated as far as possible without the database.
public struct Command: Sendable {
    public let method: Method
    public let content: any AreaCommand

    /// - Throws: `unknown-method`, `not-allowed` for methods of guests, or `invalid` with every
    ///   field that cannot be accepted.
    public init(
        method name: String, _ request: Request, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        guard let method = Method.named(name) else { throw Method.unknown }
        guard let read = method.user else {
            guard method.askers.contains(.guest) else { throw Method.unknown }
            throw Problem(.notAllowed, "You are already logged in.")
        }
        self.method = method
        content = try request.fields.all(by: read, at: now, limits)
    }
}

/// A request of a client that is not logged in: its method, and the values of its fields.
public struct GuestCommand: Sendable {
    public let method: Method
    public let content: any AreaGuestCommand

    /// - Throws: `not-allowed` for methods that require a login, `unknown-method`, or `invalid`
    ///   with every field that cannot be accepted.
    public init(
        method name: String, _ request: Request, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        guard let method = Method.named(name) else { throw Method.unknown }
        guard let read = method.guest else {
            guard method.askers.contains(.user) else { throw Method.unknown }
            throw Problem(.notAllowed, "Log in first.")
        }
        self.method = method
        content = try request.fields.all(by: read, at: now, limits)
    }
}

/// The requests of one area from clients that are not logged in.
public protocol AreaGuestCommand: Sendable {
    /// The visitor on whose behalf a program on the broker's machine asks.
    var visitor: String? { get }
}

extension AreaGuestCommand {
    public var visitor: String? { nil }
}

/// For areas without such requests.
extension Never: AreaGuestCommand {}

/// The requests of one area: an enum with a case for each method.
public protocol AreaCommand: Sendable {}

/// For areas without requests.
extension Never: AreaCommand {}

extension Fields {
    /// Reads all fields by a form.
    ///
    /// - Throws: `invalid` with every field that cannot be accepted.
    func all<Content>(
        by read: (inout Fields, Method.Circumstances) -> Content?, at now: Timestamp,
        _ limits: FixLimits
    ) throws(Problem) -> Content {
        var fields = self
        let content = read(&fields, Method.Circumstances(now: now, limits: limits))
        try fields.check()
        guard let content else { throw .incomplete }
        return content
    }
}
