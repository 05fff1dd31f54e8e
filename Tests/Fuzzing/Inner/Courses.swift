#if DEBUG
import Contract
import JSON

@testable import Web

/// The GPX file of a course, as an organiser uploads it.
enum Courses {
    static func read(_ bytes: [UInt8]) throws {
        let found: [GPXCourse.Point]
        do throws(Problem) {
            found = try CourseRoutes.points(of: bytes, until: .never)
        } catch {
            try Payloads.check(error)
            try expect(error.kind != .tooLarge, "so short a file is not too large")
            return
        }
        try checkDeadline(bytes, found)
        for point in found {
            let metres = point.elevation.map { Double($0) }
            try expect(
                metres.map(Run.elevations.contains) ?? true, "an elevation is one that runs have")
        }
        // So few that something is left out even of a small file.
        for limit in [Run.maximumPoints, 10] {
            let kept = try GPXCourse.simplified(found, atMost: limit)
            try expect(
                kept.count == min(found.count, limit), "a course has a bounded number of points")
            try expect(isPart(kept, of: found), "its points stand in their order")
            try expect(
                kept.first == found.first && kept.last == found.last, "it keeps its ends")
            try check(CourseRoutes.lineString(kept), of: kept)
        }
    }

    /// Reading before a deadline finds everything, or nothing.
    private static func checkDeadline(_ bytes: [UInt8], _ found: [GPXCourse.Point]) throws {
        let over = Deadline { true }
        let points: [GPXCourse.Point]
        do throws(Problem) {
            points = try CourseRoutes.points(of: bytes, until: over)
        } catch {
            return try expect(error.kind == .tooLarge, "what takes too long is too large")
        }
        try expect(points == found, "what is read in time is all")
        let kept: [GPXCourse.Point]
        do throws(Overtime) {
            kept = try GPXCourse.simplified(found, atMost: 10, until: over)
        } catch {
            return try expect(found.count > 10, "a short course takes no time")
        }
        try expect(kept.count == min(found.count, 10), "what is kept in time is all")
    }

    private static func isPart(_ kept: [GPXCourse.Point], of found: [GPXCourse.Point]) -> Bool {
        var rest = found[...]
        for point in kept {
            guard let place = rest.firstIndex(of: point) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    private static func check(_ answer: [UInt8], of points: [GPXCourse.Point]) throws {
        guard let value = JSONValue(parsing: answer) else { throw Finding("the answer is JSON") }
        try expect(value["type"]?.text == "LineString", "it is a line")
        let positions = value["coordinates"]?.elements ?? []
        try expect(positions.count == points.count, "each point has a position")
        let lengths = Set(positions.map(\.elements.count))
        try expect(
            lengths.isEmpty || lengths == [2] || lengths == [3], "all have an elevation, or none")
    }
}
#endif
