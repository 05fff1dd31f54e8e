import FakeGPS
import Foundation
import Numbers
import Tracking

/// Collects the results for each track and reports them in Markdown.
struct TrackReport {
    private static let mixes: [(name: String, errors: PhoneErrors?)] = [
        ("as recorded", nil), ("street", .street), ("town", .town), ("indoors", .indoors),
    ]

    private var rows: [String] = []
    private var sums = [StayScore](repeating: StayScore(), count: mixes.count)
    private var habits = [StayScore](repeating: StayScore(), count: JourneyReport.habits.count)
    private var certain: [Stay] = []
    private var possible: [Stay] = []
    private var fixes = 0
    private var minutes = 0.0
    /// Tracks without a stay for which the rules report nothing.
    private var quiet = 0
    private var quietFixes = 0
    private var quietSums = [StayScore](repeating: StayScore(), count: mixes.count)

    mutating func add(_ name: String, _ track: Track, seeds: Int) throws {
        let (certain, possible) = (track.stays(.certain), track.stays(.possible))
        let scores = try TrackReport.mixes.map { mix in
            guard let errors = mix.errors else {
                return try track.score(certain: certain, possible: possible)
            }
            let scores = try (1...seeds).map { seed in
                try track.score(
                    as: track.told(with: errors, seed: UInt64(seed)), certain: certain,
                    possible: possible)
            }
            return scores.reduce(StayScore(), +) / Double(seeds)
        }
        sums = zip(sums, scores).map { $0 + $1 }
        habits = try zip(habits, JourneyReport.habits).map { sum, habit in
            try sum
                + track.score(
                    as: track.reported(by: habit.habit), certain: certain, possible: possible)
        }
        fixes += track.samples.count
        minutes += track.duration / .seconds(60)
        self.certain += certain
        self.possible += possible
        guard !possible.isEmpty || scores.contains(where: { $0.told > 0 }) else {
            quiet += 1
            quietFixes += track.samples.count
            quietSums = zip(quietSums, scores).map { $0 + $1 }
            return
        }
        rows.append(row(name, track.samples.count, certain.count, possible.count, scores))
    }

    private func row(
        _ name: String, _ fixes: Int, _ certain: Int, _ possible: Int, _ scores: [StayScore]
    ) -> String {
        let cells = scores.map { "\(short($0.wrong))/\(short($0.missed))" }
        return "| \(name) | \(fixes) | \(certain)–\(possible) | "
            + cells.joined(separator: " | ") + " |"
    }

    private func short(_ number: Double) -> String {
        let tenths = Int(clamping: (number * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    private func minutes(_ stays: [Stay]) -> String {
        short(stays.map { ($0.through - $0.from) / .seconds(60) }.reduce(0, +))
    }

    private func row(_ name: String, _ score: StayScore) -> String {
        let cells = [\StayScore.told, \.wrong, \.stale, \.missed, \.minutes].map { figure in
            short(score[keyPath: figure])
        }
        return "| \(name) | " + cells.joined(separator: " | ") + " |"
    }

    var text: String {
        let lines =
            [
                "Wrong/missed episodes:", "",
                "| track | fixes | stays | "
                    + TrackReport.mixes.map(\.name).joined(separator: " | ") + " |",
                "|---|---|---|" + String(repeating: "---|", count: TrackReport.mixes.count),
            ] + rows + [
                row("\(quiet) others", quietFixes, 0, 0, quietSums),
                row("all", fixes, certain.count, possible.count, sums), "",
                "| | told | wrong | stale | missed | minutes stuck |", "|---|---|---|---|---|---|",
                "| all tracks | | | | | of \(short(minutes)) |",
                "| stays that are certain | \(certain.count) | | | | \(minutes(certain)) |",
                "| stays that are possible | \(possible.count) | | | | \(minutes(possible)) |",
            ] + zip(TrackReport.mixes, sums).map { row($0.name, $1) }
            + zip(JourneyReport.habits, habits).map { row($0.name, $1) }
        return lines.joined(separator: "\n")
    }
}
