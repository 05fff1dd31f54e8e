import Racing
import Tracking

/// Courses and runners of the tests, in metres east and north of a point at 46° N.
enum Street {
    static func place(_ east: Double, _ north: Double) -> Coordinate {
        guard
            let place = Coordinate(
                latitude: 46 + north / 111_143, longitude: 14.5 + east / 77_463)
        else { preconditionFailure("the street is on earth") }
        return place
    }

    static func line(_ corners: (Double, Double)...) -> [Coordinate] {
        corners.map { place($0.0, $0.1) }
    }

    /// East and back the same way.
    static func outAndBack() throws -> Course {
        try Course(line((0, 0), (1_000, 0), (0, 0)))
    }

    /// A block of 400 m.
    static func block(laps: Int) throws -> Course {
        try Course(line((0, 0), (100, 0), (100, 100), (0, 100)), laps: laps)
    }

    /// Over itself in the middle.
    static func eight() throws -> Course {
        try Course(
            line(
                (0, 0), (400, 400), (800, 400), (800, 0), (400, 0), (0, 400), (-200, 400),
                (-200, 0)))
    }

    static let gun = Timestamp(milliseconds: 1_795_345_200_000)

    static func fix(_ place: Coordinate, _ seconds: Double, accuracy: Double? = 5) -> Fix {
        let time = gun + .milliseconds(Int64((seconds * 1_000).rounded()))
        return Fix(coordinate: place, takenAt: time, receivedAt: time, accuracy: accuracy)
    }

    /// The fixes of somebody who runs a course from its start at a speed, one each second, with errors.
    static func run(
        _ course: Course, speed: Double, noise: Double = 0, seed: UInt64 = 1, every step: Double = 1
    ) -> [Fix] {
        var random = SplitMix64(seed: seed)
        var fixes: [Fix] = []
        let end = course.length / speed + 10
        for second in stride(from: -20.0, through: end, by: step) {
            let place = course.point(at: max(0, min(second * speed, course.length)))
            let (east, north) = (
                Double.random(in: -noise...max(noise, 0.001), using: &random),
                Double.random(in: -noise...max(noise, 0.001), using: &random)
            )
            let moved = Coordinate(
                latitude: place.latitude + north / 111_143,
                longitude: place.longitude + east / 77_463)
            fixes.append(fix(moved ?? place, second))
        }
        return fixes
    }

    /// - Parameter watch: is shown the runner after each fix.
    static func follow(
        _ fixes: [Fix], on course: Course, _ rules: RacingRules = RacingRules(),
        watch: (Runner, Fix) -> Void = { _, _ in }
    ) -> Runner {
        var runner = Runner()
        for fix in fixes.sorted(by: { $0.takenAt < $1.takenAt }) {
            runner.receive(fix, on: course, from: gun, rules)
            watch(runner, fix)
        }
        return runner
    }

    static func seconds(_ time: Timestamp?) -> Double? { time.map { ($0 - gun) / .seconds(1) } }
}
