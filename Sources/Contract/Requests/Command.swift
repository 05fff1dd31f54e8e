public import Tracking

/// What a device asks for, with everything checked that can be checked without the database.
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
            throw Problem(.notAllowed, "You are logged in already.")
        }
        var fields = request.fields
        let content = read(&fields, Method.Circumstances(now: now, limits: limits))
        try fields.check()
        guard let content else { throw .incomplete }
        self.method = method
        self.content = content
    }
}

/// What can be asked for in one area: an enum with a case for each method.
public protocol AreaCommand: Sendable {}

/// For areas in which nothing can be asked for.
extension Never: AreaCommand {}
