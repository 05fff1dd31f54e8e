internal import Tracking

/// How often a phone reports its position.
public enum PhoneHabit: Hashable, Sendable {
    case every(Duration)
    /// Every five seconds while it moves. At rest it reports once, and then nothing.
    case whileMoving(tellsSpeed: Bool)

    private static let moving = Duration.seconds(5)
    private static let longestPatience = Duration.seconds(2_700)

    /// The ages of its reports before it set out, the oldest first.
    var before: [Duration] {
        switch self {
        case .every(let interval): (1...5).reversed().map { interval * $0 }
        case .whileMoving: [.seconds(3_600)]
        }
    }

    /// How long to wait at the destination for its reports.
    var patience: Duration {
        switch self {
        case .every(let interval): min(.seconds(600) + interval * 3, PhoneHabit.longestPatience)
        case .whileMoving: .seconds(1_800)
        }
    }

    fileprivate var interval: Duration {
        switch self {
        case .every(let interval): interval
        case .whileMoving: PhoneHabit.moving
        }
    }
}

extension Track {
    /// Returns the same track as such a phone would report it; pauses of the recorder remain.
    public func reported(by habit: PhoneHabit) throws(TrackError) -> Track {
        let track = try resampled(every: habit.interval)
        return switch habit {
        case .every: track
        case .whileMoving(let tellsSpeed): track.withoutRests(tellsSpeed: tellsSpeed)
        }
    }

    /// A phone that has been within this radius, in metres, for this long is at rest.
    private static let rest = (radius: 25.0, after: Duration.seconds(60))

    private func withoutRests(tellsSpeed: Bool) -> Track {
        var reported: [Sample] = []
        var anchor = samples[0]
        var isResting = false
        for sample in samples {
            if anchor.coordinate.distance(to: sample.coordinate) > Track.rest.radius {
                (anchor, isResting) = (sample, false)
                reported.append(sample)
            } else if !isResting {
                isResting = sample.offset >= anchor.offset + Track.rest.after
                var told = sample
                told.speed = isResting && tellsSpeed ? 0 : nil
                reported.append(told)
            }
        }
        return Track(samples: reported)
    }
}
