public import Tracking

/// A detector's judgements about a track, compared with the stays found in it.
public struct StayScore: Hashable, Sendable {
    /// Episodes of "stuck".
    public var told = 0.0
    /// How many of these began where nobody stayed.
    public var wrong = 0.0
    /// Certain stays during which nothing was reported.
    public var missed = 0.0
    /// The time reported as stuck, in minutes.
    public var minutes = 0.0

    public static func + (left: StayScore, right: StayScore) -> StayScore {
        StayScore(
            told: left.told + right.told, wrong: left.wrong + right.wrong,
            missed: left.missed + right.missed, minutes: left.minutes + right.minutes)
    }

    public static func / (left: StayScore, count: Double) -> StayScore {
        StayScore(
            told: left.told / count, wrong: left.wrong / count, missed: left.missed / count,
            minutes: left.minutes / count)
    }

    init(told: Double, wrong: Double, missed: Double, minutes: Double) {
        (self.told, self.wrong, self.missed, self.minutes) = (told, wrong, missed, minutes)
    }

    public init() {}
}

extension Track {
    /// Replays the track on a journey that does not end, and compares the judgements with the
    /// stays.
    ///
    /// - Parameters:
    ///   - certain: stays each of which should be reported.
    ///   - possible: outside of these, nothing should be reported.
    public func score(
        by judge: any StayDetector.Type, certain: [Stay], possible: [Stay]
    ) -> StayScore {
        let episodes = episodes(by: judge)
        let wrong = episodes.filter { episode in
            !possible.contains { $0.from <= episode.from && episode.from <= $0.through }
        }
        let missed = certain.filter { stay in
            !episodes.contains { $0.from <= stay.through && $0.through > stay.from }
        }
        let time = episodes.map { ($0.through - $0.from).inSeconds }.reduce(0, +)
        return StayScore(
            told: Double(episodes.count), wrong: Double(wrong.count),
            missed: Double(missed.count), minutes: time / 60)
    }

    /// The episodes from "stuck" to "moving", or to the end.
    private func episodes(by judge: any StayDetector.Type) -> [Stay] {
        var episodes: [Stay] = []
        for (index, judgement) in judgements(to: farAway, by: judge) {
            switch judgement {
            case .stuck: episodes.append(Stay(from: samples[index].offset, through: duration))
            case .moving: episodes[episodes.count - 1].through = samples[index].offset
            case .arrived: break
            }
        }
        return episodes
    }

    /// The index of the sample at which a journey to this place arrives, from 0; nil if it does
    /// not.
    public func arrival(at destination: Coordinate, by judge: any StayDetector.Type) -> Int? {
        judgements(to: destination, by: judge).first { $0.judgement == .arrived }?.index
    }

    /// Ten degrees of latitude away, where no track of a day leads.
    private var farAway: Coordinate {
        let start = samples[0].coordinate
        let latitude = start.latitude + (start.latitude > 0 ? -10 : 10)
        return Coordinate(latitude: latitude, longitude: start.longitude) ?? start
    }

    private func judgements(to destination: Coordinate, by type: any StayDetector.Type)
        -> [(index: Int, judgement: StayJudgement)]
    {
        let start = Timestamp(milliseconds: 1_600_000_000_000)
        var judge = type.init(to: destination, from: start)
        return samples.enumerated().compactMap { index, sample in
            let time = start + sample.offset
            let fix = Fix(
                coordinate: sample.coordinate, takenAt: time, receivedAt: time,
                accuracy: sample.accuracy)
            return judge.take(fix).map { (index, $0) }
        }
    }
}
