internal import Contract
internal import HTTPTypes
internal import JSON

/// The reason why a request is refused, as problem details (RFC 9457).
struct Refusal: Error {
    var status: HTTPResponse.Status
    /// `application/problem+json`
    var body: [UInt8]
    /// How long to wait before trying again; nil if trying again makes no sense.
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

    static let notLoggedIn = Refusal(.unauthorized, "Log in first: the token is not valid.")
    static let noBroker = Refusal(
        .serviceUnavailable, "The broker cannot be reached, or has no place at the moment.",
        retryAfter: .seconds(2))
    static let notTaken = Refusal(
        .serviceUnavailable, "The broker did not take it. Nothing was done.",
        retryAfter: .seconds(2))
    static let noAnswer = Refusal(
        .gatewayTimeout, "There was no answer in time. It may have been done all the same.",
        retryAfter: .seconds(2))
    static let tooMuch = Refusal(
        .tooManyRequests, "That is too much at once.", retryAfter: .seconds(5))
    static let full = Refusal(
        .serviceUnavailable, "There is no room for more visitors.", retryAfter: .seconds(30))
}
