package import Tracking

/// The newest reading of each parameter, and since when it has been extreme.
package struct Readings: Hashable, Sendable {
    package private(set) var newest: [Parameter: Reading] = [:]
    package private(set) var extremeSince: [Score.Extreme: Timestamp] = [:]
    /// The extremes that more than one reading has shown.
    package private(set) var repeated: Set<Score.Extreme> = []
    /// When the person was last known to exert themselves.
    package private(set) var exertion: Timestamp?

    init() {}

    /// Restores stored readings.
    package init(
        newest: [Parameter: Reading], extremeSince: [Score.Extreme: Timestamp],
        repeated: Set<Score.Extreme>, exertion: Timestamp?
    ) {
        (self.newest, self.extremeSince) = (newest, extremeSince)
        (self.repeated, self.exertion) = (repeated, exertion)
    }

    mutating func noteExertion(at time: Timestamp) { exertion = max(exertion ?? time, time) }

    /// Moves times after now back to now: nothing was measured later.
    mutating func bound(by now: Timestamp) {
        for (parameter, reading) in newest where reading.takenAt > now {
            newest[parameter] = Reading(parameter, reading.value, at: now)
        }
        for (extreme, since) in extremeSince where since > now { extremeSince[extreme] = now }
        if let known = exertion, known > now { exertion = now }
    }

    /// Records a reading if it is newer than the parameter's last one.
    mutating func take(_ reading: Reading, _ limits: MonitoringLimits) {
        let parameter = reading.parameter
        if let known = newest[parameter], known.takenAt >= reading.takenAt { return }
        newest[parameter] = reading
        let extreme = points(of: reading, limits) >= 3 ? Readings.extreme(reading, limits) : nil
        for known in extremeSince.keys where known.parameter == parameter && known != extreme {
            extremeSince[known] = nil
            repeated.remove(known)
        }
        guard let extreme else { return }
        if extremeSince[extreme] == nil {
            extremeSince[extreme] = reading.takenAt
        } else {
            repeated.insert(extreme)
        }
    }

    private static func extreme(_ reading: Reading, _ limits: MonitoringLimits) -> Score.Extreme {
        let (parameter, value) = (reading.parameter, reading.value)
        let own = limits.own[parameter]
        let isHigh =
            own?.isTooHigh(value) == true
            || value > parameter.middle && own?.isTooLow(value) != true
        return Score.Extreme(parameter, isHigh: isHigh)
    }

    private func points(of reading: Reading, _ limits: MonitoringLimits) -> Int {
        let (parameter, value) = (reading.parameter, reading.value)
        // A person's own bound holds at any effort.
        if let points = limits.own[parameter]?.points(of: value, parameter.middle) { return points }
        if parameter.isExplainedByExertion(value), let exertion,
            reading.takenAt - exertion <= limits.exertionFor
        {
            return 0
        }
        return parameter.points(of: value)
    }

    /// Returns the score of the fresh readings.
    func score(at now: Timestamp, _ limits: MonitoringLimits) -> Score {
        var points: [Parameter: Int] = [:]
        var extremes: Set<Score.Extreme> = []
        for (parameter, reading) in newest {
            guard now - reading.takenAt <= limits.freshness[parameter] ?? .zero else { continue }
            points[parameter] = self.points(of: reading, limits)
            if points[parameter] == 3 { extremes.insert(Readings.extreme(reading, limits)) }
        }
        return Score(points: points, extremes: extremes)
    }

    /// The parameters whose newest reading is higher than any effort makes it.
    var beyondExertion: Set<Parameter> {
        Set(newest.values.filter { $0.parameter.isBeyondExertion($0.value) }.map(\.parameter))
    }

    /// Returns whether a second reading has shown the extreme, and it has lasted.
    func isConfirmed(_ extreme: Score.Extreme, at now: Timestamp, _ limits: MonitoringLimits)
        -> Bool
    {
        confirmation(of: extreme, limits).map { now >= $0 } ?? false
    }

    /// Returns when the extreme has lasted long enough; nil while only a single reading shows it.
    func confirmation(of extreme: Score.Extreme, _ limits: MonitoringLimits) -> Timestamp? {
        guard repeated.contains(extreme) else { return nil }
        return extremeSince[extreme].map { $0 + limits.confirmAfter }
    }
}
