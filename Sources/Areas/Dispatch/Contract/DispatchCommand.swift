internal import JSON
public import Tracking

/// A device's requests about incidents of its user.
public enum DispatchCommand: AreaCommand {
    case list(before: UUIDv7?, limit: Int)

    static let query = Form(
        Form("before", .uuid).ifPresent, Form("limit", .integer(1...50), "default 10").or(10)
    ) { DispatchCommand.list(before: $0, limit: $1) }
}

/// Dispatch's answer about an incident.
public struct DispatchAnswer: Hashable, Sendable {
    public let status: Status
    /// The person who answers.
    public let by: String?
    public let note: String?

    public enum Status: String, Hashable, Sendable, CaseIterable {
        case acknowledged, refused, closed
    }

    public init(_ status: Status) { (self.status, by, note) = (status, nil, nil) }

    /// - Throws: ``Problem`` if a field is not valid.
    public init(_ payload: [UInt8]) throws(Problem) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(payload)
        } catch {
            throw Problem(error)
        }
        var fields = try Fields(value)
        let status = fields.string("status")
        let known = status.flatMap { Status(rawValue: $0) }
        if status != nil, known == nil {
            fields.refuse("status", "must be acknowledged, refused or closed")
        }
        by = fields.line(ifPresent: "by", atMost: DispatchAnswer.longestName)
        note = fields.line(ifPresent: "note", atMost: DispatchAnswer.longestNote)
        try fields.check()
        guard let known else { throw .incomplete }
        self.status = known
    }

    /// Characters.
    private static let longestName = 60
    private static let longestNote = 200
}
