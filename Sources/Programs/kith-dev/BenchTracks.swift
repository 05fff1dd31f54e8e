import ArgumentParser
import FakeGPS
import Foundation

/// Makes the table in docs/stillness.md: `tools/measure stays` runs this over the recordings.
struct BenchTracks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks",
        abstract: "Compare what the rules say about recorded tracks with the stays found in them.",
        discussion: """
            Replays each track on a journey that does not end, as recorded, with the errors of \
            three kinds of phone added, and as reported by phones that report often, rarely or not \
            at rest; the stays are found in the track as recorded. Prints how many episodes of \
            "stuck" were wrong or came when the person moved on, and how many stays were missed. \
            Then replays each track as a journey to where it ends, and prints how often "arrived", \
            "late" and "silent" were wrong or missing.
            """)

    @Argument(help: "Recorded tracks.")
    var files: [String]

    @Option(help: "How often each track is replayed with different errors.")
    var seeds = 10

    func validate() throws {
        guard seeds > 0 else { throw ValidationError("--seeds must be positive.") }
    }

    func run() throws {
        let tracks = try files.map { file in
            let url = URL(filePath: file)
            return (
                name: url.deletingPathExtension().lastPathComponent,
                track: try Track(reading: Array(try Data(contentsOf: url)))
            )
        }
        var (stays, journeys) = (TrackReport(), JourneyReport())
        for (name, track) in tracks {
            try stays.add(name, track, seeds: seeds)
            journeys.add(track)
        }
        print(stays.text)
        print()
        print(try journeys.text())
    }
}
