import Racing
import Tracking

/// Test courses and runners, in metres east and north of a point at 46° N.
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
        try Course(line((0, 0), (100, 0), (100, 100), (0, 100), (0, 0)), laps: laps)
    }

    /// A square that is run once.
    static func loop(_ side: Double) throws -> Course {
        try Course(line((0, 0), (side, 0), (side, side), (0, side), (0, 0)))
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

    /// The fixes of a person who runs a course from its start at a speed, one per second, with
    /// errors.
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

    /// The fixes of a person who is at these places of a course at these times, and on the way
    /// between.
    ///
    /// - Parameters:
    ///   - way: seconds, and metres from the start of the course; on a closed one below 0 before it.
    ///   - silent: the seconds without fixes.
    static func fixes(
        _ way: [(seconds: Double, metres: Double)], on course: Course, every step: Double = 1,
        noise: Double = 0, silent: [ClosedRange<Double>] = []
    ) -> [Fix] {
        var random = SplitMix64(seed: 7)
        let spread = -noise...max(noise, 0.001)
        return zip(way, way.dropFirst()).flatMap { from, to in
            stride(from: from.seconds, to: to.seconds, by: step).compactMap { second -> Fix? in
                let moved = Double.random(in: spread, using: &random)
                guard !silent.contains(where: { $0.contains(second) }) else { return nil }
                let part = (second - from.seconds) / (to.seconds - from.seconds)
                var metres = from.metres + (to.metres - from.metres) * part
                while metres < 0 { metres += course.lapLength }
                let place = course.point(at: min(metres, course.length))
                return fix(
                    Coordinate(
                        latitude: place.latitude + moved / 111_143, longitude: place.longitude)
                        ?? place, second)
            }
        }
    }

    /// - Parameter watch: called with the runner after each fix.
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
