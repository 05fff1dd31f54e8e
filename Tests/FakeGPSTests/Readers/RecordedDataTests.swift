import Foundation
import Testing

@testable import FakeGPS

/// Real recordings, where the machine has them: they are not part of the repository.
struct RecordedDataTests {
    /// Beside the package.
    static let directory =
        URL(filePath: #filePath).appending(path: "../../../../../shared/data").standardized.path()

    static var isThere: Bool { FileManager.default.fileExists(atPath: directory + "/DATA.md") }

    /// The first column of the tables in DATA.md that is a track's name, and the number of fixes:
    /// the fourth column of most, the third of the courses.
    static func counts() throws -> [(file: String, count: Int)] {
        let text = try String(contentsOfFile: directory + "/DATA.md", encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3, cells[0].hasSuffix(".gpx") || cells[0].hasSuffix(".tcx"),
                let count = Int(cells[3]) ?? Int(cells[2])
            else { return nil }
            return (cells[0], count)
        }
    }

    @Test(.enabled(if: isThere, "needs ../shared/data"))
    func `Every recorded track has as many fixes as its description states`() throws {
        let counts = try RecordedDataTests.counts()
        #expect(counts.count == 18)
        for (file, count) in counts {
            let data = try Data(
                contentsOf: URL(filePath: RecordedDataTests.directory + "/" + file))
            let track = try Track(reading: Array(data))
            #expect(track.samples.count == count, "\(file)")
            #expect(
                zip(track.samples, track.samples.dropFirst()).allSatisfy { $0.offset <= $1.offset })
        }
    }

    @Test(
        .enabled(if: isThere, "needs ../shared/data"),
        arguments: ["poi-milan-food.geojson", "poi-milan-health.geojson"])
    func `Points of interest are not a track`(file: String) throws {
        let data = try Data(contentsOf: URL(filePath: RecordedDataTests.directory + "/" + file))
        let error = #expect(throws: TrackError.self) { try Track(reading: Array(data)) }
        #expect(error?.reason == .noTrack)
    }
}
