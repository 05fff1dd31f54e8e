internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    public static let areYouAllRight = NoticeKind(
        "are-you-all-right",
        [.time("until", as: "time") { .seconds($0) }, Member.texts("reasons").optional],
        share: .monitoring, urgent: .until("until"), pace: .unlimited,
        says: .text(.areYouAllRight))
    static let questionOver = NoticeKind(
        "question-over", share: .monitoring, says: .text(.questionOver))
    static let vitalsSilent = NoticeKind(
        "vitals-silent", [.time("since")], share: .monitoring, says: .text(.vitalsSilent))
    static let vitalsBack = NoticeKind("vitals-back", share: .monitoring, says: .text(.vitalsBack))
    static let monitoringStarted = NoticeKind(
        "monitoring-started", share: .account, says: .text(.monitoringBegan))
    static let monitoringChanged = NoticeKind(
        "monitoring-changed", share: .account, says: .text(.monitoringChanged))
    static let monitoringEnded = NoticeKind(
        "monitoring-ended", share: .account, says: .text(.monitoringEnded))
}

extension Notice {
    /// A change of the monitoring of the user's vital signs.
    public enum MonitoringChange: Hashable, Sendable { case began, changed, ended }
}

extension Notice.News {
    /// The user's vital signs are abnormal, and help is called unless they say that they are fine.
    ///
    /// - Parameter reasons: as in an incident; none in a notice of an earlier Kith.
    public static func areYouAllRight(until: Timestamp, reasons: [String]) -> Notice.News {
        .init(
            .areYouAllRight,
            ["until": .time(until), "reasons": reasons.isEmpty ? nil : .texts(reasons)])
    }

    /// The vital signs are normal again: no help was called.
    public static let questionOver = Notice.News(.questionOver)
    /// No monitored vital signs have been received since.
    public static func vitalsSilent(since: Timestamp) -> Notice.News {
        .init(.vitalsSilent, ["since": .time(since)])
    }
    public static let vitalsBack = Notice.News(.vitalsBack)
    /// Monitoring of the user's vital signs began, changed or ended.
    public static func monitoring(_ change: Notice.MonitoringChange) -> Notice.News {
        switch change {
        case .began: .init(.monitoringStarted)
        case .changed: .init(.monitoringChanged)
        case .ended: .init(.monitoringEnded)
        }
    }
}
