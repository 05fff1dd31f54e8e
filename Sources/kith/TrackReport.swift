import FakeGPS
import Foundation
import Numbers
import Tracking

/// Collects the results for each track and reports them in Markdown.
struct TrackReport {
    private static let mixes: [(name: String, errors: PhoneErrors?)] = [
        ("as recorded", nil), ("street", .street), ("town", .town), ("indoors", .indoors),
    ]

    /// The scores of the two detectors for the same tracks.
    private struct Pair {
        var before = StayScore()
        var after = StayScore()

        static func + (left: Pair, right: Pair) -> Pair {
            Pair(before: left.before + right.before, after: left.after + right.after)
        }
    }

    private struct Trips {
        var all = 0
        /// Arrived within the first 20 fixes.
        var atOnce = [0, 0]
        /// Arrived in the first half of the way.
        var early = [0, 0]
        var arrived = [0, 0]
    }

    private var rows: [String] = []
    private var sums = [Pair](repeating: Pair(), count: mixes.count)
    private var certain = 0
    private var possible = 0
    private var certainMinutes = 0.0
    private var possibleMinutes = 0.0
    private var fixes = 0
    private var minutesInAll = 0.0
    /// Tracks without a stay for which the current rules report nothing.
    private var quiet = 0
    private var quietFixes = 0
    private var quietSums = [Pair](repeating: Pair(), count: mixes.count)
    private var trips = [Trips(), Trips()]

    mutating func add(_ name: String, _ track: Track, seeds: Int) {
        let certain = track.stays(.certain)
        let possible = track.stays(.possible)
        let pairs = TrackReport.mixes.map { mix in
            guard let errors = mix.errors else { return judge(track, certain, possible) }
            let pairs = (1...seeds).map { seed in
                judge(
                    track.told(with: errors, seed: UInt64(seed)), certain, possible)
            }
            let sum = pairs.reduce(Pair(), +)
            return Pair(before: sum.before / Double(seeds), after: sum.after / Double(seeds))
        }
        sums = zip(sums, pairs).map { $0 + $1 }
        fixes += track.samples.count
        minutesInAll += track.duration / .seconds(60)
        self.certain += certain.count
        self.possible += possible.count
        certainMinutes += minutes(certain)
        possibleMinutes += minutes(possible)
        makeRoundTrip(track)
        guard !possible.isEmpty || pairs.contains(where: { $0.after.told > 0 }) else {
            quiet += 1
            quietFixes += track.samples.count
            quietSums = zip(quietSums, pairs).map { $0 + $1 }
            return
        }
        rows.append(
            row(name, track.samples.count, certain.count, possible.count, pairs))
    }

    private func judge(_ track: Track, _ certain: [Stay], _ possible: [Stay]) -> Pair {
        Pair(
            before: track.score(
                by: FormerStayDetector.self, certain: certain, possible: possible),
            after: track.score(
                by: TrackerStayDetector.self, certain: certain, possible: possible))
    }

    private func minutes(_ stays: [Stay]) -> Double {
        stays.map { ($0.through - $0.from) / .seconds(60) }.reduce(0, +)
    }

    /// Tests arrival on the track as recorded and there and back, where the destination is the
    /// start.
    private mutating func makeRoundTrip(_ track: Track) {
        let judges: [any StayDetector.Type] = [FormerStayDetector.self, TrackerStayDetector.self]
        for (place, trip) in [track, track.thereAndBack()].enumerated() {
            trips[place].all += 1
            for (index, judge) in judges.enumerated() {
                let goal = trip.samples[0].coordinate
                guard let arrival = trip.arrival(at: goal, by: judge) else { continue }
                trips[place].arrived[index] += 1
                if arrival < 20 { trips[place].atOnce[index] += 1 }
                let isEarly = trip.samples[arrival].offset < trip.duration * 0.5
                if arrival >= 20, isEarly { trips[place].early[index] += 1 }
            }
        }
    }

    private func row(
        _ name: String, _ fixes: Int, _ certain: Int, _ possible: Int, _ pairs: [Pair]
    ) -> String {
        let cells = pairs.map { pair in
            func text(_ score: StayScore) -> String {
                "\(short(score.wrong))/\(short(score.missed))"
            }
            return "\(text(pair.before)) → \(text(pair.after))"
        }
        return "| \(name) | \(fixes) | \(certain)–\(possible) | "
            + cells.joined(separator: " | ") + " |"
    }

    private func short(_ number: Double) -> String {
        let tenths = Int(clamping: (number * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    var text: String {
        var lines = [
            "Wrong/missed episodes, before → after:", "",
            "| track | fixes | stays | "
                + TrackReport.mixes.map(\.name).joined(separator: " | ") + " |",
            "|---|---|---|" + String(repeating: "---|", count: TrackReport.mixes.count),
        ]
        lines += rows
        lines += [
            row("\(quiet) others", quietFixes, 0, 0, quietSums),
            row("all", fixes, certain, possible, sums), "",
            "| | told | wrong | missed | minutes stuck |", "|---|---|---|---|---|",
            "| all tracks | | | | of \(short(minutesInAll)) |",
            "| stays that are certain | \(certain) | | | \(short(certainMinutes)) |",
            "| stays that are possible | \(possible) | | | \(short(possibleMinutes)) |",
        ]
        for (mix, sum) in zip(TrackReport.mixes, sums) {
            let (before, after) = (sum.before, sum.after)
            let cells = [\StayScore.told, \.wrong, \.missed, \.minutes].map { figure in
                "\(short(before[keyPath: figure])) → \(short(after[keyPath: figure]))"
            }
            lines.append("| \(mix.name) | " + cells.joined(separator: " | ") + " |")
        }
        lines += [
            "", "| round trips | tracks | arrived within 20 fixes | in the first half | at all |",
            "|---|---|---|---|---|",
        ]
        for (name, trips) in zip(["as recorded", "there and back"], trips) {
            let cells = [trips.atOnce, trips.early, trips.arrived].map { "\($0[0]) → \($0[1])" }
            lines.append(
                "| \(name) | \(trips.all) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }
}
