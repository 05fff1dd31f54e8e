import Testing
import Tracking
import XML

@testable import Web

/// The course in a file that an organiser uploads.
struct GPXCourseTests {
    private func points(_ text: String) throws -> [GPXCourse.Point] {
        try XMLReader.read(Array(text.utf8), GPXCourse()).points
    }

    @Test func `A track is taken before a route, with its heights`() throws {
        let found = try points(
            """
            <gpx><rte><rtept lat="1" lon="2"/></rte><trk><trkseg>
            <trkpt lat="46" lon="14.5"><ele>300.4</ele></trkpt>
            <trkpt lat="91" lon="14.5"/><trkpt lat="x" lon="14.5"/><trkpt lon="14.5"/>
            <trkpt lat="46.01" lon="14.5"><ele>nan</ele></trkpt></trkseg></trk></gpx>
            """)
        #expect(found.map(\.coordinate.latitude) == [46, 46.01])
        #expect(found.map(\.elevation) == [300.4, nil])
        let route = try points(
            #"<gpx><rte><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte></gpx>"#)
        #expect(route.count == 2)
    }

    @Test func `A long line keeps its corners, and its ends`() throws {
        // Zigzag with corners each 500 m, and a point each metre.
        let line = (0...20_000).compactMap { metre -> GPXCourse.Point? in
            let phase = Double(metre % 1_000)
            return Coordinate(
                latitude: 46 + Double(metre) / 222_390,
                longitude: 14.5 + (phase < 500 ? phase : 1_000 - phase) / 77_463
            ).map { .init(coordinate: $0) }
        }
        let kept = GPXCourse.simplified(line, atMost: 200)
        #expect((41...200).contains(kept.count))
        #expect(kept.first == line.first && kept.last == line.last)
        for corner in stride(from: 500, to: 20_000, by: 500) {
            let nearest = kept.map { $0.coordinate.distance(to: line[corner].coordinate) }.min()
            #expect(nearest ?? 99 < 5)
        }
        #expect(GPXCourse.simplified(Array(line.prefix(10)), atMost: 200).count == 10)
        let same = Array(repeating: line[0], count: 3_000)
        #expect(GPXCourse.simplified(same, atMost: 2_000).count == 2)
    }
}
