public import JSON

/// The envelope of a request: its members besides its own fields.
public struct Request: Sendable {
    /// Echoed in the reply; the same id from the same device means the same request.
    public let id: JSONValue?
    public let fields: Fields

    public static let maximumIDLength = 128

    /// - Parameter payload: a JSON object; an empty payload counts as `{}`.
    /// - Throws: `malformed` or `invalid`.
    public init(_ payload: [UInt8]) throws(Problem) {
        let value: JSONValue
        do {
            value = payload.isEmpty ? .object([]) : try JSONValue.parse(payload)
        } catch {
            throw Problem(error)
        }
        let fields = try Fields(value)
        switch fields["id"] {
        case nil: id = nil
        case .string(let text) where text.utf8.count <= Request.maximumIDLength:
            id = .string(text)
        case .number(let number) where number.isFinite: id = .number(number)
        default:
            let limit = Request.maximumIDLength
            let reason = "must be a string of at most \(limit) bytes or a number"
            throw Problem(invalid: [.init(field: "id", reason: reason)])
        }
        self.fields = fields
    }
}

/// The answer to a request.
public struct Reply: Sendable {
    public var id: JSONValue?
    public var outcome: Outcome

    public enum Outcome: Sendable {
        /// A JSON object, ready to send.
        case result([UInt8])
        case problem(Problem)
    }

    /// Returns the reply to a request with an unknown id.
    public static func payload(refusing method: String, _ problem: Problem) -> [UInt8] {
        JSONWriter.object { json in
            json.key("method")
            json.string(method)
            json.key("problem")
            json.problem(problem)
        }
    }

    public init(id: JSONValue?, _ outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            if let id {
                json.key("id")
                json.value(id)
            }
            switch outcome {
            case .result(let result):
                json.key("result")
                json.raw(result)
            case .problem(let problem):
                json.key("problem")
                json.problem(problem)
            }
        }
    }
}
