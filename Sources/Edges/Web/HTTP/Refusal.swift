internal import Contract
internal import HTTPTypes
internal import JSON

/// The reason why a request is refused, as problem details (RFC 9457).
struct Refusal: Error {
    var status: HTTPResponse.Status
    /// `application/problem+json`
    var body: [UInt8]
    /// The time to wait before retrying; nil if retrying makes no sense.
    var retryAfter: Duration?
    /// The methods that the address supports, if the request's is not among them.
    var allow: String?

    /// One of the contract's problems.
    init(_ problem: Problem) {
        status = HTTPResponse.Status(code: problem.status)
        var json = JSONWriter()
        json.problem(problem)
        body = json.bytes
    }

    /// A refusal for which an HTTP status exists.
    init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Duration? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        body = JSONWriter.object { json in
            json.key("type")
            json.string("about:blank")
            json.key("title")
            json.string(status.reasonPhrase)
            json.key("status")
            json.number(status.code)
            json.key("detail")
            json.string(detail)
        }
    }

    /// A problem as reported by the bridge.
    init(status: Int, problem: [UInt8]) {
        self.status = HTTPResponse.Status(code: (400...599).contains(status) ? status : 500)
        body = problem
    }

    /// Whether the bridge has checked a password, a code or a passkey, and it was wrong.
    var isForWrongCredentials: Bool {
        JSONValue(parsing: body, isOurs: true)?["type"]
            == .string(Problem(.wrongCredentials, "").type)
    }

    static let notLoggedIn = Refusal(.unauthorized, "The token is not valid. Log in first.")
    static let noBroker = Refusal(
        .serviceUnavailable,
        "The broker cannot be reached, or accepts no more connections at the moment.",
        retryAfter: .seconds(2))
    static let notTaken = Refusal(
        .serviceUnavailable, "The broker did not accept the message. Nothing was done.",
        retryAfter: .seconds(2))
    static let noAnswer = Refusal(
        .gatewayTimeout,
        "There was no answer in time. The request may still have been carried out.",
        retryAfter: .seconds(2))
    static let tooMuch = Refusal(
        .tooManyRequests, "Too many requests at once.", retryAfter: .seconds(5))
    static let full = Refusal(
        .serviceUnavailable, "There are too many visitors at the moment.", retryAfter: .seconds(30))
}
