internal import HTTPTypes
internal import Hummingbird

/// `GET /metrics`, for Prometheus: the metrics that the bridge and the gate publish for the
/// operator, whose token is required (`Authorization: Bearer`), and those of the page itself.
struct MetricsRoutes: Sendable {
    let gateway: RequestGateway
    let tally: StatusCounts
    let connections: ConnectionCounts

    func add(to router: Router<WebContext>) { router.getAndHead("metrics", use: metrics) }

    @Sendable private func metrics(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let values = try await gateway.connections.metrics(try gateway.caller(request))
        var text = PrometheusText()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { text.add(name, value) }
        addOwn(to: &text)
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text.text)))
    }

    private func addOwn(to text: inout PrometheusText) {
        let figures = gateway.connections.lastFigures
        text.add("web-visitors", Double(figures.visitors))
        text.add("web-visitors-connected", Double(figures.connected))
        text.add("web-streams", Double(figures.streams))
        text.add("web-requests-waiting", Double(figures.waiting))
        text.add("web-events", Double(figures.events))
        text.add("web-streams-too-slow", Double(figures.overruns))
        text.add("web-connections", Double(connections.count))
        for answer in tally.answers {
            text.add("web-answers", Double(answer.count), ["status": String(answer.status)])
        }
    }
}
