internal import Tracking

/// The alerts about standing still on a track, compared with the stays found in it.
public struct StayScore: Hashable, Sendable {
    /// Episodes of "stuck".
    public var told = 0.0
    /// How many of these began where no one stayed.
    public var wrong = 0.0
    /// How many of these began when the person moved on within a minute.
    public var stale = 0.0
    /// Certain stays without an alert.
    public var missed = 0.0
    /// The time reported as stuck, in minutes.
    public var minutes = 0.0

    public init() {}

    public static func + (left: StayScore, right: StayScore) -> StayScore {
        var sum = left
        for figure in all { sum[keyPath: figure] += right[keyPath: figure] }
        return sum
    }

    public static func / (left: StayScore, count: Double) -> StayScore {
        var mean = left
        for figure in all { mean[keyPath: figure] /= count }
        return mean
    }

    private static var all: [WritableKeyPath<StayScore, Double>] {
        [\.told, \.wrong, \.stale, \.missed, \.minutes]
    }
}

extension Track {
    /// Replays the track as it is reported, on a journey that does not end, and compares the alerts
    /// with the stays.
    ///
    /// - Parameters:
    ///   - reported: the track as the phone reports it; nil: the same.
    ///   - certain: stays each of which should be reported.
    ///   - possible: stays outside of which nothing should be reported.
    public func score(as reported: Track? = nil, certain: [Stay], possible: [Stay]) throws
        -> StayScore
    {
        let told = try JourneyReplay(
            of: reported ?? self, to: farAway, eta: .seconds(1_000_000_000)
        ).stuck
        var score = StayScore()
        for episode in told {
            score.told += 1
            if !possible.contains(where: { $0.contains(episode.from) }) { score.wrong += 1 }
            if goesOn(at: episode.from) { score.stale += 1 }
            score.minutes += (episode.through - episode.from).inSeconds / 60
        }
        for stay in certain
        where !told.contains(where: { $0.from <= stay.through && $0.through > stay.from }) {
            score.missed += 1
        }
        return score
    }

    /// A person who moves this many metres within a minute is not standing.
    private static let onTheWay = (metres: 60.0, within: Duration.seconds(60))

    private func goesOn(at moment: Duration) -> Bool {
        guard let index = samples.lastIndex(where: { $0.offset <= moment }) else { return false }
        return samples[index...].prefix { $0.offset <= moment + Track.onTheWay.within }.contains {
            $0.coordinate.distance(to: samples[index].coordinate) > Track.onTheWay.metres
        }
    }

    /// Ten degrees of latitude away, where no track of a day leads.
    private var farAway: Coordinate {
        let start = samples[0].coordinate
        let latitude = start.latitude + (start.latitude > 0 ? -10 : 10)
        return Coordinate(latitude: latitude, longitude: start.longitude) ?? start
    }
}

extension Stay {
    func contains(_ moment: Duration) -> Bool { from <= moment && moment <= through }
}
