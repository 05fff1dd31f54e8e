internal import Tracking

/// The alerts about journeys, compared with the whole tracks.
public struct JourneyScore: Hashable, Sendable {
    public var journeys = 0
    /// Arrivals reported on the way.
    public var falselyArrived = 0
    /// Arrivals not reported.
    public var missedArrivals = 0
    /// Delays reported while the person was there, and had been seen there by then.
    public var falselyLate = 0
    /// Delays reported while the person was there, which no position had shown.
    public var unseen = 0
    /// Absences at the ETA that were not reported.
    public var missedLate = 0
    /// Silence reported while the person was there.
    public var falselySilent = 0

    public init() {}

    public static func + (left: JourneyScore, right: JourneyScore) -> JourneyScore {
        var sum = left
        let all: [WritableKeyPath<JourneyScore, Int>] = [
            \.journeys, \.falselyArrived, \.missedArrivals, \.falselyLate, \.unseen, \.missedLate,
            \.falselySilent,
        ]
        for figure in all { sum[keyPath: figure] += right[keyPath: figure] }
        return sum
    }
}

extension Track {
    /// Replays a journey to the track's end, by a phone that also reports before and after it.
    ///
    /// - Parameter slack: from the end of the track to the ETA.
    public func score(of habit: PhoneHabit, slack: Duration) throws -> JourneyScore {
        let waiting = thenStanding(for: habit.patience)
        let reported = try waiting.reported(by: habit)
        let eta = max(duration + slack, Track.shortestPlan)
        let told = try JourneyReplay(
            of: reported, to: destination, eta: eta, before: habit.before, patience: habit.patience
        ).told
        let since = isThereSince
        let arrived = told[.journeyArrived]
        var score = JourneyScore()
        score.journeys = 1
        if let arrived, arrived < since, !staysAtEnd(arrived) { score.falselyArrived = 1 }
        if arrived == nil { score.missedArrivals = 1 }
        if let late = told[.late], late >= since {
            let isSeen = reported.samples.contains {
                $0.offset >= since && $0.offset <= eta
                    && $0.coordinate.distance(to: destination) <= Rules().arrivalRadius
            }
            if isSeen { score.falselyLate = 1 } else { score.unseen = 1 }
        }
        if let silent = told[.silent], silent >= since { score.falselySilent = 1 }
        if eta < since, told[.late] == nil { score.missedLate = 1 }
        return score
    }

    private static let shortestPlan = Duration.seconds(120)
    /// Twice the radius of a destination, in metres, so that a receiver's error decides nothing.
    private static let endRadius = 100.0

    /// The time since when the person is at the track's end, found from the whole track: afterwards
    /// they move no farther away.
    var isThereSince: Duration {
        let last = samples.lastIndex {
            $0.coordinate.distance(to: destination) > Track.endRadius
        }
        return last.map { samples[min($0 + 1, samples.count - 1)].offset } ?? .zero
    }

    /// Returns whether the person may have stayed at the track's end: such an arrival counts
    /// neither way.
    private func staysAtEnd(_ moment: Duration) -> Bool {
        let now = samples.last { $0.offset <= moment } ?? samples[0]
        return now.coordinate.distance(to: destination) <= Track.endRadius
            && stays(.possible).contains { $0.contains(moment) }
    }

    /// Whether the track ends far from where it begins.
    public var isOneWay: Bool {
        samples[0].coordinate.distance(to: destination) > Track.far
    }

    /// Whether the track ends near where it begins, after having been far away.
    public var isLoop: Bool {
        !isOneWay && samples.contains { $0.coordinate.distance(to: destination) > Track.far }
    }

    /// Metres.
    private static let far = 500.0

    /// Returns the same track from where it is first this many metres from its end.
    public func begun(at distance: Double) -> Track {
        let first = samples.firstIndex {
            $0.coordinate.distance(to: destination) >= distance
        }
        let rest = samples[(first ?? 0)...]
        let start = rest[rest.startIndex].offset
        return Track(
            samples: rest.map { sample in
                var copy = sample
                copy.offset -= start
                return copy
            }, gapThreshold: gapThreshold)
    }
}
