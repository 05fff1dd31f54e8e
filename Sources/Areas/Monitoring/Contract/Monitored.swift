public import EarlyWarning
public import JSON

/// Somebody whose vital signs are watched.
public struct Monitored: Hashable, Sendable {
    public var monitor: Monitor
    public var thresholds: [Parameter: OwnThreshold]
    /// At which they may be called.
    public var phone: String?

    public init(
        monitor: Monitor, thresholds: [Parameter: OwnThreshold] = [:], phone: String? = nil
    ) {
        (self.monitor, self.thresholds, self.phone) = (monitor, thresholds, phone)
    }
}

extension VitalSigns {
    /// What the score counts.
    public var readings: [Reading] {
        var readings = Parameter.measured.compactMap { parameter, quantity in
            self[quantity].map { Reading(parameter, $0, at: takenAt) }
        }
        switch consciousness {
        case .alert: readings.append(Reading(.consciousness, 0, at: takenAt))
        case .cvpu: readings.append(Reading(.consciousness, 1, at: takenAt))
        case nil: break
        }
        return readings
    }
}

extension Monitor.State {
    /// As told to the person.
    public var name: String {
        switch self {
        case .watching: "watching"
        case .asked: "asked"
        case .inNeed: "in-need"
        case .assisted: "assisted"
        }
    }
}

extension JSONWriter {
    /// `{thresholds,phone?}`, as in the requests.
    public mutating func wishes(of monitored: Monitored) {
        let thresholds = Parameter.measured.compactMap { parameter, quantity in
            monitored.thresholds[parameter].map { own in
                let bounds = [("low", own.low), ("high", own.high)].compactMap { name, bound in
                    bound.map { JSONValue.Member(key: name, value: .number($0)) }
                }
                return JSONValue.Member(key: quantity.rawValue, value: .object(bounds))
            }
        }
        key("thresholds")
        object { $0.members(thresholds) }
        member("phone", monitored.phone)
    }
}
