internal import Contract
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Returns the metrics that have changed since the last time; all of them on a new connection.
    func metrics(at now: Duration) -> [Publication] {
        var own = [
            // Changes with every report, so that readers of the other values know that they are
            // current.
            MetricName.uptime: (now - (startedAt ?? now)).milliseconds / 1000,
            "rounds-throttled": throttledTurns, "wal-bytes": logWatch.bytes,
            "publications-unanswered": brokers.reduce(0) { $0 + Int64($1.link?.unanswered ?? 0) },
            "brokers-connected": Int64(brokers.count(where: \.isListening)),
            "clock-doubted": sweepPermit.doubt == nil ? 0 : 1,
            "monitoring-idle": concerns.isMonitoringIdle ? 1 : 0,
            "directory-down": directoryWatch.trouble == nil ? 0 : 1,
            "drill-unanswered": concerns.isDrillUnanswered ? 1 : 0,
            "work-left-out": Int64(concerns.leftOut.count),
        ].merging(disk?.metrics ?? [:]) { $1 }.merging(ofProcess()) { $1 }
        for broker in brokers { own.merge(broker.publisher.metrics) { max($0, $1) } }
        if let lastBackup {
            own[MetricName.lastBackup] = (lastBackup.time?.milliseconds ?? 0) / 1000
        }
        let numbers = engine.metrics.merging(own) { $1 }.map { ($0.key, "\($0.value)") }
        return (numbers + engine.measures.metrics).sorted { $0.0 < $1.0 }.compactMap {
            name, value in
            guard reported.updateValue(value, forKey: name) != value else { return nil }
            return Publication(
                topic: settings.topics.string(.metric(name)), payload: Array(value.utf8),
                retain: true)
        }
    }
}
