internal import Contract
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
        let visitor = try gateway.caller(request)
        guard case .system = visitor else {
            throw Problem(.notAllowed, "The metrics are for the operator.")
        }
        var text = PrometheusText()
        for (topic, value) in try await told(to: visitor) { text.add(topic, value) }
        addOwn(to: &text)
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text.text)))
    }

    /// The retained metrics, by the last level of their topic.
    private func told(to visitor: Visitor) async throws(Refusal) -> [(String, Double)] {
        let root = gateway.settings.topics.root
        let stream = try await gateway.connections.open(
            visitor, ["\(root)/system/metrics/+"], after: nil)
        let connections = gateway.connections
        // Nothing marks the end of the retained messages: they come at once or not at all.
        Task {
            do { try await Task.sleep(for: MetricsRoutes.patience) } catch {}
            connections.close(stream, of: visitor)
        }
        var bytes: [UInt8] = []
        while let more = await stream.next() { bytes += more }
        var values: [String: Double] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n"))
        where line.starts(with: "data: ".utf8) {
            guard let event = JSONValue.read(Array(line.dropFirst(6))),
                case .string(let topic) = event["topic"],
                case .number(let value) = event["payload"],
                let name = topic.split(separator: "/").last
            else { continue }
            values[String(name)] = value
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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

    private static let patience = Duration.milliseconds(300)
}
