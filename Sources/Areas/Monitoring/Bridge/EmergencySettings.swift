internal import Contract
public import EarlyWarning
internal import Settings

/// Everything about watching vital signs and calling for help that can be set.
public struct EmergencySettings: Sendable {
    public var limits = MonitoringLimits()
    /// Dispatch is called again after this, ...
    public var firstRepeatAfter = Duration.seconds(5)
    /// ... then so often, ...
    public var repeatAfter = Duration.seconds(10)
    /// ... and after ``BridgeSettings/maximumFrequentCalls`` so often, until they answer.
    public var laterRepeatAfter = Duration.seconds(60)
    /// If so many calls by all ways that are used are not answered, the next way is used as well.
    public var callsPerWay = 3
    /// The operator is told if nothing came of anybody who is watched for so long.
    public var idleAfter = Duration.seconds(60)
    /// Who calls, in messages of the Common Alerting Protocol.
    public var sender = "kith"
    public var dispatchAreas = DispatchAreas()
    /// How often all ways are tried by the clock; nil: never.
    public var drillEvery: Duration?

    public init() {}

    init(_ reader: inout SettingsReader) {
        for (key, path) in EmergencySettings.times {
            self[keyPath: path] = reader.seconds(key, self[keyPath: path])
        }
        for parameter in Parameter.allCases {
            let key = EmergencySettings.key(of: parameter)
            let usual = limits.freshness[parameter] ?? .zero
            limits.freshness[parameter] = reader.seconds(key, usual)
        }
        callsPerWay = reader.integer("emergency.callsPerWay", callsPerWay, 1...100)
        dispatchAreas = reader.read("emergency.dispatchAreas", dispatchAreas) {
            path throws(SettingsError) in
            try DispatchAreas(file: path)
        }
        let pause = reader.days("emergency.drillEvery", .zero, in: 0...366)
        drillEvery = pause > .zero ? pause : nil
        sender = reader.value(
            "emergency.capSender", sender, "must have no white space, commas, < and &"
        ) { text in
            let isAllowed = text.utf8.allSatisfy { $0 > 0x20 && !Array(",<&".utf8).contains($0) }
            return isAllowed && !text.isEmpty && text.utf8.count <= 255 ? text : nil
        }
    }

    static let keys = Set(times.map(\.key)).union([
        "emergency.capSender", "emergency.callsPerWay", "emergency.dispatchAreas",
        "emergency.drillEvery",
    ])
    .union(Parameter.allCases.map { key(of: $0) })

    /// How long a reading counts.
    private static func key(of parameter: Parameter) -> String { "emergency.\(parameter.field)For" }

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
