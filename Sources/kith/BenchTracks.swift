import ArgumentParser
import FakeGPS
import Foundation

/// Makes the table in docs/stillness.md: `tools/stays` runs this over the recordings.
struct BenchTracks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks",
        abstract: "Hold what the rules say of recorded tracks against the stays found in them.",
        discussion: """
            Each track is replayed on a journey, as recorded and with the errors of three phones \
            laid over it; stays are found in the track as recorded. Printed are, before and after \
            the rules judged each fix by its own accuracy, the episodes of "stuck" that were wrong \
            and the stays that were missed. Then each is a round trip: when has it arrived?
            """)

    @Argument(help: "Recorded tracks.")
    var files: [String]

    @Option(help: "How often errors are laid over each track.")
    var seeds = 10

    func validate() throws {
        guard seeds > 0 else { throw ValidationError("There is at least one seed.") }
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
