import Contract
import Synchronization
import Testing
import Tracking
import XML

@testable import Web

/// The course in a file that an organiser uploads.
struct GPXCourseTests {
    @Test func `A file of little but line breaks is read no longer than the deadline`() {
        let looks = Mutex(0)
        let deadline = Deadline {
            looks.withLock {
                $0 += 1; return $0 > 2
            }
        }
        let lines = String(repeating: "\n", count: 1 << 20)
        #expect(throws: Problem.self) {
            try CourseRoutes.points(of: Array("<gpx>\(lines)</gpx>".utf8), until: deadline)
        }
        #expect(looks.withLock { $0 } == 3)
    }

    private func points(_ text: String) throws -> [GPXCourse.Point] {
        try XMLReader.read(Array(text.utf8), GPXCourse()).points
    }

    @Test func `A track is preferred to a route, with its heights`() throws {
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

    private func point(_ latitude: Double, _ longitude: Double) throws -> GPXCourse.Point {
        .init(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)),
            elevation: nil)
    }

    @Test func `A simplified course keeps its corners and its ends`() throws {
        // Zigzag with corners each 500 m, and a point each metre.
        let line = try (0...20_000).map { metre in
            let phase = Double(metre % 1_000)
            return try point(
                46 + Double(metre) / 222_390,
                14.5 + (phase < 500 ? phase : 1_000 - phase) / 77_463)
        }
        let kept = try GPXCourse.simplified(line, atMost: 200)
        #expect(kept.count == 200)
        #expect(kept.first == line.first && kept.last == line.last)
        for corner in stride(from: 500, to: 20_000, by: 500) {
            let nearest = kept.map { $0.coordinate.distance(to: line[corner].coordinate) }.min()
            #expect(nearest ?? 99 < 5)
        }
        #expect(try GPXCourse.simplified(Array(line.prefix(10)), atMost: 200).count == 10)
        let same = Array(repeating: line[0], count: 3_000)
        #expect(try GPXCourse.simplified(same, atMost: 2_000).count == 2_000)
    }

    @Test func `An out-and-back course keeps its turning point`() throws {
        let out = try (0..<5_000).map { try point(46 + Double($0) / 100_000, 14.5) }
        let kept = try GPXCourse.simplified(out + out.dropLast().reversed(), atMost: 2_000)
        #expect(kept.count == 2_000)
        #expect(kept.contains(out[4_999]))
    }

    @Test func `A course across the 180th meridian is simplified like any other`() throws {
        let line = try (0..<100).map { step in
            let east = 179.95 + Double(step) / 1_000
            return try point(step == 50 ? 1 : 0, east > 180 ? east - 360 : east)
        }
        let kept = try GPXCourse.simplified(line, atMost: 5)
        #expect(kept.count == 5 && kept.contains(line[50]))
    }

    /// A comb: each tooth is a corner. The former algorithm went through the whole line for
    /// each of them with each doubled tolerance: minutes.
    @Test func `A course of 40,000 corners checks its deadline n log n times`() throws {
        let comb = try (0..<40_000).map {
            try point($0.isMultiple(of: 2) ? 0 : 1, Double($0) / 1e4)
        }
        var looks = 0
        nonisolated(unsafe) let count = { looks += 1 }
        let kept = try GPXCourse.simplified(
            comb, atMost: 2_000,
            until: Deadline {
                count()
                return false
            })
        #expect(kept.count == 2_000)
        // A check each 1,024 steps, and at most three steps for each point removed.
        #expect(looks <= 3 * 38_000 / 1_024 + 1)
        #expect(throws: Overtime.self) {
            try GPXCourse.simplified(comb, atMost: 2_000, until: Deadline { true })
        }
    }

    @Test func `A file with more points than are computed is refused as too large`() throws {
        func file(_ count: Int) -> [UInt8] {
            Array("<gpx><trk><trkseg>".utf8)
                + (0..<count).flatMap { _ in Array(#"<trkpt lat="1" lon="2"/>"#.utf8) }
                + Array("</trkseg></trk></gpx>".utf8)
        }
        #expect(try CourseRoutes.points(of: file(5), until: .never).count == 5)
        let problem = #expect(throws: Problem.self) {
            try CourseRoutes.points(of: file(GPXCourse.maximumPoints + 1), until: .never)
        }
        #expect(problem?.kind == .tooLarge)
        let late = #expect(throws: Problem.self) {
            try CourseRoutes.points(of: file(3_000), until: Deadline { true })
        }
        #expect(late?.kind == .tooLarge)
    }
}
