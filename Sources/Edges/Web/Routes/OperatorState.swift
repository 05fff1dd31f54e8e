internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Numbers
internal import Tracking

/// `GET /operator/state`, with the operator's token: the service's state for the operator's page.
///
/// Like ``MetricsRoutes``, it is always answered, and soon; unknown values are omitted.
extension MetricsRoutes {
    @Sendable func operatorsState(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try caller(request, [.operator])
        try gateway.checkOperatorsPage()
        async let report = health.report
        let reading = try await read(visitor)
        let found = await report.finding
        var concerns: Set<Concern> = []
        if reading.isVerified {
            concerns = Set(reading.concerns(found).compactMap { Concern(rawValue: $0) })
                .union(files.concerns)
        }
        return .json(
            JSONWriter.object { json in
                json.key("status")
                json.string(found.word(isDegraded: reading.reasonForDegradation != nil))
                if let reason = reading.reasonForDegradation {
                    json.key("reason")
                    json.string(reason)
                }
                json.key("version")
                json.string(version)
                json.key("commit")
                json.string(commit)
                if let origin = gateway.settings.server.origin {
                    json.key("origin")
                    json.string(origin)
                }
                json.key("concerns")
                json.array(concerns.sorted { $0.rawValue < $1.rawValue }) { json, concern in
                    json.object { json in
                        json.key("name")
                        json.string(concern.rawValue)
                        json.key("text")
                        json.string(concern.text)
                        json.key("wayOut")
                        json.string(concern.wayOut)
                    }
                }
                json.figures(reading.values(found))
            })
    }
}

extension Health.Finding {
    /// - Parameter isDegraded: whether the bridge reports that it skips something.
    fileprivate func word(isDegraded: Bool) -> String {
        switch self {
        case .well: isDegraded ? "degraded" : "well"
        case .sparing: "sparing"
        case .noBroker: "no-broker"
        case .noBridge: "no-bridge"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func figures(_ values: [String: Double]) {
        for (key, name) in [
            ("connections", "gate-connections"), ("diskFreeBytes", "disk-free-bytes"),
            ("diskTotalBytes", "disk-total-bytes"), ("databaseBytes", "database-bytes"),
            ("uptimeSeconds", MetricName.uptime),
        ] as [(StaticString, String)] {
            guard let value = values[name] else { continue }
            self.key(key)
            number(Int64(clamping: value))
        }
        guard let backup = values[MetricName.lastBackup] else { return }
        key("lastBackup")
        if backup > 0 {
            time(Timestamp(milliseconds: Int64(clamping: backup) * 1000))
        } else {
            null()
        }
    }
}
