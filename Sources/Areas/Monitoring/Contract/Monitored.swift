public import EarlyWarning
public import Tracking

/// A person whose vital signs are monitored.
public struct Monitored: Hashable, Sendable {
    public var monitor: Monitor
    public var thresholds: [Parameter: OwnThreshold]
    /// Their phone number for a call.
    public var phone: String?
    /// The groups to alert; nil if stored by a Kith that alerted all.
    public var groups: [GroupID]?

    public init(
        monitor: Monitor, thresholds: [Parameter: OwnThreshold] = [:], phone: String? = nil,
        groups: [GroupID]? = nil
    ) {
        (self.monitor, self.thresholds) = (monitor, thresholds)
        (self.phone, self.groups) = (phone, groups)
    }

    /// Returns the person's groups to alert: the chosen ones, or all if the person is no longer in
    /// any of them, so that a call always reaches someone.
    public func alerted(of all: [GroupID]) -> [GroupID] {
        let chosen = all.filter { groups?.contains($0) ?? true }
        return chosen.isEmpty ? all : chosen
    }
}

extension VitalSigns {
    /// The readings that the score counts.
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

extension Score {
    /// The parameters with points, and for numbers, whether they are too high or too low; without
    /// any values.
    public var reasons: [String] {
        let extremes = Dictionary(
            extremes.map { ($0.parameter, $0.isHigh ? " far too high" : " far too low") },
            uniquingKeysWith: { $1 })
        return points.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map {
            let extreme = $0.key.quantity == nil ? nil : extremes[$0.key]
            return "\($0.key.field)\(extreme ?? " unusual")"
        }
    }
}

extension Monitor.State {
    /// The name reported to the person.
    public var name: String {
        switch self {
        case .watching: "watching"
        case .asked: "asked"
        case .inNeed: "in-need"
        case .assisted: "assisted"
        }
    }
}
