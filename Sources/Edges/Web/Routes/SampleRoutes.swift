internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON

/// `GET /api/samples/{user}`: everything that a service may read of a user, one sample per line,
/// the newest first (newline-delimited JSON).
struct SampleRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) { router.get("api/samples/:user", use: samples) }

    @Sendable private func samples(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try gateway.caller(request)
        let user = try context.parameters.require("user")
        let place = try gateway.placeForDownload(of: visitor, request, context)
        // Any refusal has to be sent before the first byte.
        let first = try await page(of: user, at: nil, visitor)
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"],
            body: .init { writer in
                defer { withExtendedLifetime(place) {} }
                var body = writer
                var (samples, next) = first
                while true {
                    var bytes: [UInt8] = []
                    for sample in samples {
                        bytes += JSONWriter.value { $0.value(sample) } + [UInt8(ascii: "\n")]
                    }
                    try await body.write(ByteBuffer(bytes: bytes))
                    guard let cursor = next else { break }
                    (samples, next) = try await page(of: user, at: cursor, visitor)
                }
                try await body.finish(nil)
            })
    }

    /// - Returns: `next` is nil at the end.
    private func page(of user: String, at cursor: String?, _ visitor: Visitor)
        async throws(Refusal) -> (samples: [JSONValue], next: String?)
    {
        var members = [
            JSONValue.Member(key: "user", value: .string(user)),
            JSONValue.Member(key: "last", value: .number(Double(ServiceCommand.Reading.longest))),
        ]
        if let cursor { members.append(.init(key: "cursor", value: .string(cursor))) }
        let result = try await gateway.ask(visitor, "data.get", .object(members))
        guard case .array(let samples)? = result["samples"] else { throw .unreadable }
        return (samples, result["next"]?.text)
    }
}
