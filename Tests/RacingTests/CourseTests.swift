import Testing
import Tracking

@testable import Racing

/// The line of a run.
struct CourseTests {
    @Test func `A course is as long as its parts on the ellipsoid, over all laps`() throws {
        let course = try Street.block(laps: 3)
        #expect(abs(course.lapLength - 400) < 0.5)
        #expect(abs(course.length - 3 * course.lapLength) < 1e-9)
        #expect(course.points.first == course.points.last)
        let far = try Course([Street.place(0, 0), Street.place(0, 20_000)])
        #expect(abs(far.length - Street.place(0, 0).distance(to: Street.place(0, 20_000))) < 1e-6)
    }

    @Test func `A position is found by its distance, in each lap`() throws {
        let course = try Street.block(laps: 2)
        for (metres, east, north) in [
            (0.0, 0.0, 0.0), (50, 50, 0), (150, 100, 50), (400, 0, 0), (450, 50, 0), (790, 0, 10),
        ] {
            #expect(
                course.point(at: metres).distance(to: Street.place(east, north)) < 1, "\(metres)")
        }
    }

    @Test func `A place passed twice matches twice, including near a turn`() throws {
        let course = try Street.outAndBack()
        let places = course.matches(Street.place(900, 3), in: 0...2_000, within: 25)
        #expect(places.map { $0.distance.rounded() } == [900, 1_100])
        #expect(places.allSatisfy { abs($0.offset - 3) < 0.1 })
        let near = course.matches(Street.place(990, 0), in: 0...2_000, within: 25)
        #expect(near.map { $0.distance.rounded() } == [990, 1_010])
        #expect(course.matches(Street.place(990, 0), in: 0...1_000, within: 25).count == 1)
        #expect(course.matches(Street.place(500, 30), in: 0...2_000, within: 25).isEmpty)
        let eight = try Street.eight()
        #expect(eight.matches(Street.place(200, 200), in: 0...9_000, within: 20).count == 2)
        let laps = try Street.block(laps: 3)
        #expect(laps.matches(Street.place(50, 0), in: 0...1_200, within: 20).count == 3)
        #expect(laps.matches(Street.place(50, 0), in: 300...700, within: 20).count == 1)
    }

    @Test(arguments: [
        ([(0.0, 0.0)], 1, [], Course.Invalid.pointCount), ([], 1, [], .pointCount),
        ([(0, 0), (0, 0)], 1, [], .pointCount), ([(0, 0), (50, 0)], 1, [], .length),
        ([(0, 0), (600_000, 0)], 1, [], .length), ([(0, 0), (200, 0)], 0, [], .lapCount),
        ([(0, 0), (200, 0)], 1, [250], .checkpoints), ([(0, 0), (200, 0)], 1, [0], .checkpoints),
        ([(0, 0), (200, 0)], 1, [100, 50], .checkpoints),
    ])
    func `An invalid course is refused with the reason`(
        corners: [(Double, Double)], laps: Int, checkpoints: [Double], reason: Course.Invalid
    ) {
        #expect(throws: reason) {
            try Course(
                corners.map { Street.place($0.0, $0.1) }, laps: laps, checkpoints: checkpoints)
        }
    }

    /// A line with the given number of segments, if it is run once or is closed.
    private static func zigzag(_ segments: Int) -> [Coordinate] {
        (0...segments).map { Street.place(Double($0 % 2) * 4, 0) }
    }

    @Test func `A line of many points allows fewer laps`() throws {
        let long = CourseTests.zigzag(500)
        #expect(Course.maximumSegments == 50_000)
        #expect(try Course(long, laps: 100).laps == 100)
        #expect(throws: Course.Invalid.segmentCount(mostLaps: 100)) {
            try Course(long, laps: 101)
        }
        #expect(try Course(CourseTests.zigzag(50), laps: 1_000, checkpoints: []).laps == 1_000)
    }

    @Test func `Different points at one place have no distance between them`() throws {
        let course = try Course(
            [(179.99, 0.0), (180, 0), (-180, 0), (-179.99, 0)].map {
                try #require(Coordinate(latitude: $0.1, longitude: $0.0))
            })
        #expect(course.points.count == 4)
        #expect(course.distances.count == 3)
        let there = try #require(Coordinate(latitude: 0, longitude: 180))
        let found = course.matches(there, in: 0...course.length, within: 10)
        #expect(found.map { ($0.distance - course.length / 2).rounded() } == [0])
    }

    @Test func `A closed course without checkpoints gets three per lap`() throws {
        let course = try Street.block(laps: 3)
        #expect(course.isClosed && course.checkpoints == [100, 200, 300])
        #expect(course.chosenCheckpoints == [])
        // As they are stored, and as the page shows them.
        let again = try Course(course.points, laps: 3, checkpoints: [100, 200, 300])
        #expect(again == course)
        let chosen = try Course(course.points, laps: 3, checkpoints: [150])
        #expect(chosen.checkpoints == [150] && chosen.chosenCheckpoints == [150])
        for line in [
            Street.line((0, 0), (1_000, 0)),
            Street.line((0, 0), (0, 1_000), (300, 1_000), (300, 0)),
            Street.line((0, 0), (120, 0)),
        ] {
            let open = try Course(line)
            #expect(!open.isClosed && open.checkpoints.isEmpty)
        }
        let near = try Course(Street.line((0, 0), (0, 1_000), (140, 1_000), (140, 0)))
        #expect(near.isClosed && near.checkpoints.count == 3)
    }

    @Test func `A course that ends elsewhere cannot have laps`() throws {
        for end in [(0.0, 300.0), (0, 51)] {
            let line = Street.line((0, 0), (400, 0), (400, 300), end)
            #expect(throws: Course.Invalid.open) { try Course(line, laps: 2) }
            #expect(try Course(line).laps == 1)
        }
        let drawn = try Course(Street.line((0, 0), (400, 0), (400, 300), (0, 49)), laps: 2)
        #expect(drawn.points.first == drawn.points.last)
    }

    @Test func `Checkpoints are counted through all laps`() throws {
        let course = try Course(
            Street.line((0, 0), (100, 0), (100, 100), (0, 100), (0, 0)), laps: 3,
            checkpoints: [50, 250])
        #expect(course.checkpoints(after: 0, before: course.length) == [0, 1, 2, 3, 4, 5])
        #expect(course.checkpoints(after: 100, before: 500) == [1, 2])
        #expect(course.checkpoints(after: 500, before: 100) == [])
        #expect(course.checkpoints(after: 840, before: 2_000) == [4, 5])
    }

    @Test func `A course crosses the antimeridian the short way`() throws {
        let points = try [179.999, -179.999].map {
            try #require(Coordinate(latitude: 0, longitude: $0))
        }
        let course = try Course(points)
        #expect(abs(course.length - 222.6) < 0.5)
        let middle = try #require(Coordinate(latitude: 0, longitude: 180))
        let match = try #require(course.matches(middle, in: 0...300, within: 20).first)
        #expect(abs(match.distance - 111.3) < 0.5)
    }
}
