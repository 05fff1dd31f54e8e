internal import EarlyWarning
internal import JSON
public import Tracking

extension ExportItem {
    /// - Parameter groups: the groups that are alerted.
    public static func monitoring(
        _ monitored: Monitored, groups: [GroupKey], since: Timestamp
    ) -> ExportItem {
        ExportItem("monitoring") { json in
            json.member("since", since)
            json.member("state", monitored.monitor.state.name)
            json.members(MonitoringResult.wishes, (monitored, groups))
        }
    }

    /// - Parameter endedAt: when it was withdrawn; nil if it was not.
    public static func monitoringConsent(at: Timestamp, endedAt: Timestamp?) -> ExportItem {
        ExportItem("monitoring-consent") { json in
            json.member("at", at)
            if let endedAt { json.member("endedAt", endedAt) }
        }
    }
}
