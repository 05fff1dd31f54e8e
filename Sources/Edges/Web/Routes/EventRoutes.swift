internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import MQTT

/// `GET /api/events?topic=…&topic=…`: server-sent events (HTML, 9.2). Each subscription is made
/// with the caller's own rights.
struct EventRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) {
        router.get("api/events", use: events)
        router.head("api/events", use: head)
    }

    /// Answers HEAD as far as possible without opening a stream.
    @Sendable private func head(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        _ = try reader(request, try filters(request))
        return Response(status: .ok, headers: EventRoutes.headers)
    }

    @Sendable private func events(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let topics = try filters(request)
        let visitor = try reader(request, topics)
        let last = request.headers[.lastEventID].flatMap { EventID($0) }
        let channel = context.channel
        let reader = EventBudget.Reader(
            party: visitor == .spectators ? nil : Party(visitor),
            address: gateway.address(of: request, context), close: { channel.close(promise: nil) })
        let stream = try await gateway.connections.open(
            visitor, topics, after: last, for: reader)
        let connections = gateway.connections
        return Response(
            status: .ok,
            headers: EventRoutes.headers,
            body: .init { writer in
                defer { connections.close(stream, of: visitor) }
                // A browser that has left is noticed immediately, not with the heartbeat after the
                // next.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                    while let events = await stream.next() {
                        try await writer.write(contentsOf: events)
                    }
                } onInboundClosed: {
                    connections.close(stream, of: visitor)
                }
                try await writer.finish(nil)
            })
    }

    /// Returns the reader. One subscription serves public run data, for people with and without an
    /// account.
    private func reader(_ request: Request, _ topics: [String]) throws(Refusal) -> Visitor {
        guard topics.allSatisfy(isOfRun) else { return try gateway.caller(request) }
        let maximum = gateway.settings.limits.filtersOfSpectator
        guard topics.count <= maximum else {
            throw Refusal(Problem(.tooMany, "At most \(maximum) topics at once."))
        }
        return .spectators
    }

    private func isOfRun(_ topic: String) -> Bool {
        switch gateway.settings.topics.parse(topic)?.kind {
        case .listed(.run), .listed(.runner), .listed(.standings), .listed(.standingsPage): true
        default: false
        }
    }

    private func filters(_ request: Request) throws(Refusal) -> [String] {
        let maximum = gateway.settings.limits.filtersOfStream
        var (filters, known): ([String], Set<String>) = ([], [])
        for parameter in request.uri.queryParameters where parameter.key == "topic" {
            let filter = String(parameter.value)
            guard filter.utf8.count <= EventRoutes.maximumLength, TopicFilter(filter).isValid,
                !filter.unicodeScalars.contains(where: {
                    $0.properties.generalCategory == .control
                })
            else { throw Refusal(Problem(.malformed, "A topic is not valid.")) }
            guard known.insert(filter).inserted else { continue }
            guard filters.count < maximum else {
                throw Refusal(Problem(.tooMany, "At most \(maximum) topics at once."))
            }
            filters.append(filter)
        }
        guard !filters.isEmpty else {
            throw Refusal(Problem(.malformed, "The topics are missing. Add ?topic=…"))
        }
        return filters
    }

    private static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        // A buffering proxy would delay alerts.
        .unchecked("X-Accel-Buffering"): "no",
    ]
    /// In bytes.
    private static let maximumLength = 512
}
