import FakeGPS

/// Replays each track as a journey to its end, and reports the alerts in Markdown.
struct JourneyReport {
    static let habits: [(name: String, habit: PhoneHabit)] = [
        ("5 a second", .every(.milliseconds(200))), ("each second", .every(.seconds(1))),
        ("each minute", .every(.seconds(60))), ("each 15 min", .every(.seconds(900))),
        ("not at rest", .whileMoving(tellsSpeed: false)),
        ("not at rest, with speed", .whileMoving(tellsSpeed: true)),
    ]
    /// The ETA, relative to the track's end.
    private static let slacks: [(name: String, slack: Duration)] = [
        ("5 min after", .seconds(300)), ("at the end", .zero), ("10 min before", .seconds(-600)),
    ]
    /// The distances, in metres, from a round trip's end at which it is cut to begin.
    private static let beginnings = [0.0, 60, 120, 200, 290]

    private var ways: [Track] = []
    private var roundTrips: [Track] = []

    mutating func add(_ track: Track) {
        if track.isOneWay {
            ways.append(track)
            roundTrips.append(track.thereAndBack())
        } else if track.isLoop {
            roundTrips += JourneyReport.beginnings.map { track.begun(at: $0) }
        }
    }

    func text() throws -> String {
        var lines = [
            "| journeys | phone | ETA | falsely arrived | not told | falsely late | late unseen | "
                + "not told late | falsely silent |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for (name, tracks) in [("one way", ways), ("round trips", roundTrips)] {
            for habit in JourneyReport.habits {
                for slack in JourneyReport.slacks {
                    let score = try tracks.reduce(JourneyScore()) { sum, track in
                        try sum + track.score(of: habit.habit, slack: slack.slack)
                    }
                    let cells = [
                        score.falselyArrived, score.missedArrivals, score.falselyLate, score.unseen,
                        score.missedLate, score.falselySilent,
                    ].map(String.init)
                    lines.append(
                        "| \(score.journeys) \(name) | \(habit.name) | \(slack.name) | "
                            + cells.joined(separator: " | ") + " |")
                }
            }
        }
        return lines.joined(separator: "\n")
    }
}
