import ArgumentParser
import FakeGPS
import Foundation

/// Makes the table in docs/stillness.md: `tools/stays` runs this over the recordings.
struct BenchTracks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks",
        abstract: "Compare what the rules say about recorded tracks with the stays found in them.",
        discussion: """
            Replays each track on a journey, as recorded and with the errors of three kinds of \
            phone added; the stays are found in the track as recorded. Prints how many episodes of \
            "stuck" were wrong and how many stays were missed, before and after the rules took \
            each fix's own accuracy into account. Then replays each track as a round trip, and \
            prints when it arrived.
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
        var report = TrackReport()
        for (name, track) in tracks { report.add(name, track, seeds: seeds) }
        print(report.text)
    }
}
