internal import Contract
public import EarlyWarning
internal import Settings

/// The settings for monitoring vital signs and calling for help.
public struct EmergencySettings: Sendable {
    public var limits = MonitoringLimits()
    /// The pause before dispatch is called again …
    public var firstRepeatAfter = Duration.seconds(5)
    /// … the pause before further calls …
    public var repeatAfter = Duration.seconds(10)
    /// … and the pause after ``BridgeSettings/maximumFrequentCalls`` calls, until there is an
    /// answer.
    public var laterRepeatAfter = Duration.seconds(60)
    /// The number of unanswered calls by the ways in use, after which the next way is added.
    public var callsPerWay = 3
    /// The time without any monitored user's vital signs after which the operator is notified.
    public var idleAfter = Duration.seconds(60)
    /// The sender in Common Alerting Protocol messages.
    public var sender = "kith"
    public var dispatchAreas = DispatchAreas()
    /// The interval of scheduled tests of all ways; nil for none.
    public var drillEvery: Duration?

    public init() {}

    init(_ reader: inout SettingsReader) {
        for (key, path) in EmergencySettings.times {
            self[keyPath: path] = reader.seconds(key, self[keyPath: path])
        }
        for parameter in Parameter.allCases {
            let usual = limits.freshness[parameter] ?? .zero
            limits.freshness[parameter] = reader.seconds("emergency.\(parameter.field)For", usual)
        }
        callsPerWay = reader.integer("emergency.callsPerWay", callsPerWay, 1...100)
        dispatchAreas = reader.read("emergency.dispatchAreas", dispatchAreas) {
            path throws(SettingsError) in
            try DispatchAreas(file: path)
        }
        let pause = reader.days("emergency.drillEvery", .zero, in: 0...366)
        drillEvery = pause > .zero ? pause : nil
        sender = reader.value(
            "emergency.capSender", sender, "must not contain white space, commas, < or &"
        ) { text in
            let isAllowed = text.utf8.allSatisfy { $0 > 0x20 && !Array(",<&".utf8).contains($0) }
            return isAllowed && !text.isEmpty && text.utf8.count <= 255 ? text : nil
        }
    }

    private static var times: [(key: String, path: WritableKeyPath<EmergencySettings, Duration>)] {
        [
            ("emergency.backfillAge", \.limits.backfillAge),
            ("emergency.confirmAfter", \.limits.confirmAfter),
            ("emergency.answerWithin", \.limits.answerWithin),
            ("emergency.recoverAfter", \.limits.recoverAfter),
            ("emergency.fineFor", \.limits.fineFor),
            ("emergency.exertionFor", \.limits.exertionFor),
            ("emergency.silentAfter", \.limits.silentAfter),
            ("emergency.silentForGroupsAfter", \.limits.silentForGroupsAfter),
            ("emergency.firstRepeatAfter", \.firstRepeatAfter),
            ("emergency.repeatAfter", \.repeatAfter),
            ("emergency.laterRepeatAfter", \.laterRepeatAfter),
            ("emergency.idleAfter", \.idleAfter),
        ]
    }
}
