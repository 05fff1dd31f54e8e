import Foundation
import Gazetteer
import Testing
import Tracking

/// The cities that are installed with the page, and the examples that the page is tested with.
struct GazetteerTests {
    private struct Example: Decodable {
        let latitude: Double
        let longitude: Double
        let name: String?
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func installed() throws -> Gazetteer {
        let folder = GazetteerTests.root.appending(path: "pages/world/cities")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let text = try files.filter { $0.contains("_") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        return Gazetteer(lines: text.joined())
    }

    @Test func `A position is described by the cities around it, as on the page`() throws {
        let gazetteer = try installed()
        let file = GazetteerTests.root.appending(path: "Tests/PageTests/Units/place-names.json")
        let examples = try JSONDecoder().decode([Example].self, from: Data(contentsOf: file))
        #expect(examples.count > 10)
        for example in examples {
            let place = try #require(
                Coordinate(latitude: example.latitude, longitude: example.longitude))
            #expect(gazetteer.describe(place)?.text == example.name)
        }
    }

    @Test func `The nearest city may be across the antimeridian`() throws {
        let gazetteer = Gazetteer(lines: "Here\tFJ\t-17000\t179950\t20\t9")
        let place = try #require(Coordinate(latitude: -17, longitude: -179.95))
        #expect(gazetteer.describe(place) == .near("Here", kilometres: 11, .east))
    }

    @Test(arguments: ["", "A", "A\tB\t1\t2", "A\tB\tx\t2\t3", "A\tB\t90001\t0\t3", "\tB\t1\t2\t3"])
    func `A line that is not a city's is omitted`(_ line: String) throws {
        let place = try #require(Coordinate(latitude: 0, longitude: 0))
        #expect(Gazetteer(lines: line).describe(place) == nil)
    }
}
