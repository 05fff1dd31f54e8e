internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import ProcessFigures

/// `GET /metrics`, for Prometheus, with the token of the monitoring account, or of the operator
/// (`Authorization: Bearer`): the metrics published by the bridge and the gate, those of the page
/// itself, and whether the broker and the bridge are up.
///
/// It is always answered, and soon: `kith_up`, `kith_broker_up` and `kith_bridge_up` show absent
/// parts, whose metrics are omitted.
struct MetricsRoutes: Sendable {
    let gateway: RequestGateway
    let health: Health
    let certificates: CertificateDates
    let tally: StatusCounts
    let connections: ConnectionCounts
    let files: OperatorFiles
    let isStandingBy: @Sendable () -> Bool
    let version: String
    let commit: String
    private let startedAt = ContinuousClock.now

    func add(to router: Router<WebContext>) {
        router.getAndHead("metrics", use: metrics)
        router.get("operator/state", use: operatorsState)
    }

    @Sendable private func metrics(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try caller(request, [.metrics, .operator])
        async let report = health.report
        let reading = try await read(visitor)
        var text = PrometheusText()
        let found = await report.finding
        addHealth(found, reading, to: &text)
        // The page's own figures are only for visitors whom the broker has admitted before.
        if reading.isVerified {
            for (name, value) in reading.values(found) { text.add(name, value) }
            addOwn(to: &text)
            for name in (reading.concerns(found) + files.concerns.map(\.rawValue)).sorted() {
                text.add("concern", 1, ["name": name])
            }
            for (listener, date) in await certificates.ends(isBrokerUp: found != .noBroker) {
                text.add(
                    "certificate-expiry-timestamp-seconds", Double(date), ["listener": listener])
            }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: text.text)))
    }

    func caller(_ request: Request, _ principals: [Principal.System]) throws(Refusal) -> Visitor {
        let visitor = try gateway.caller(request)
        guard let system = visitor.system, principals.contains(system) else {
            throw Refusal(
                Problem(
                    .notAllowed,
                    principals.contains(.metrics)
                        ? "The metrics are for the operator and the monitoring account."
                        : "This requires the operator's token."))
        }
        return visitor
    }

    /// - Throws: a refusal if the broker refuses the token.
    func read(_ visitor: Visitor) async throws(Refusal) -> MetricReading {
        let connections = gateway.connections
        let outcome = await first(within: Health.patience) {
            () async -> Result<MetricReading, Refusal> in
            do throws(Refusal) {
                return .success(try await connections.metrics(visitor))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case nil: return .nothing
        case .success(let reading)?: return reading
        // The broker is down, or has no room.
        case .failure(let refusal)? where refusal.status == .serviceUnavailable: return .nothing
        case .failure(let refusal)?: throw refusal
        }
    }

    private func addHealth(
        _ finding: Health.Finding, _ reading: MetricReading, to text: inout PrometheusText
    ) {
        let reason: String? =
            switch finding {
            case .well, .noBroker: nil
            // Its status may be a moment behind.
            case .sparing: reading.reasonForDegradation ?? MetricReading.fullDisk
            case .noBridge: reading.reasonForDegradation
            }
        text.add("up", finding == .well ? 1 : 0)
        text.add("broker-up", finding == .noBroker ? 0 : 1)
        text.add("bridge-up", finding == .well || reason != nil ? 1 : 0)
        if isStandingBy() { text.add("bridge-standby", 1) }
        if let reason { text.add("bridge-degraded", 1, ["reason": reason]) }
        text.add("build-info", 1, ["version": version, "commit": commit])
    }

    private func addOwn(to text: inout PrometheusText) {
        let figures = gateway.connections.lastFigures
        text.add("web-uptime-seconds", (ContinuousClock.now - startedAt) / .seconds(1))
        text.add("web-visitors", Double(figures.visitors))
        text.add("web-visitors-connected", Double(figures.connected))
        text.add("web-streams", Double(figures.streams))
        text.add("web-events-unread-bytes", Double(figures.unread))
        text.add("web-requests-waiting", Double(figures.waiting))
        text.add("web-events", Double(figures.events))
        text.add("web-streams-too-slow", Double(figures.overruns))
        text.add("web-connections", Double(connections.count))
        for (name, value) in ProcessFigures().metrics(of: .page) { text.add(name, Double(value)) }
        for answer in tally.answers {
            text.add("web-answers", Double(answer.count), ["status": String(answer.status)])
        }
    }
}
