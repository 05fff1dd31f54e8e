import Racing
import Testing
import Tracking

/// A runner who turns round, or goes another way, has not run the part between.
struct TurningTests {
    static let loops = [40.0, 100, 250, 1_250]
    static let devices: [(every: Double, noise: Double)] = [
        (1, 0), (1, 8), (5, 0), (10, 8), (30, 0),
    ]
    /// On a small loop a device that sends rarely shows too little.
    static let runs = loops.flatMap { side in
        devices.filter { side >= 100 || $0.every <= 5 }.map { (side: side, device: $0) }
    }

    @Test(arguments: runs)
    func `A runner who turns round or goes the wrong way has not finished a loop`(
        side: Double, device: (every: Double, noise: Double)
    ) throws {
        let course = try Street.loop(side)
        let length = course.length
        let ways: [(String, [(seconds: Double, metres: Double)])] = [
            ("a quarter, and back", [(length / 12, length / 4), (length / 6, 0)]),
            ("a half, and back", [(length / 6, length / 2), (length / 3, 0)]),
            ("100 m, and back", [(100 / 3, min(100, length / 3)), (200 / 3, 0)]),
            ("the wrong way round", [(length / 3, -length + 0.01)]),
        ]
        for (name, way) in ways {
            let last = way[way.count - 1]
            let whole: [(seconds: Double, metres: Double)] =
                [(-20, 0), (0, 0)] + way + [(last.seconds + 1_200, last.metres)]
            let runner = Street.follow(
                Street.fixes(whole, on: course, every: device.every, noise: device.noise),
                on: course
            )
            #expect(!runner.hasFinished, "\(name): \(runner.distance) of \(length)")
            #expect(runner.distance < 0.6 * length, "\(name): \(runner.distance) of \(length)")
        }
        let fair = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (length / 3, length), (length / 3 + 60, length)], on: course,
                every: device.every, noise: device.noise), on: course)
        #expect(fair.hasFinished && fair.missed.isEmpty, "\(fair.distance) of \(length)")
    }

    @Test(arguments: [100.0, 900])
    func `A runner who turns before the turning point has not finished`(turn: Double) throws {
        let course = try Street.outAndBack()
        let runner = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (turn / 3, turn), (turn / 1.5, 0), (1_500, 0)], on: course),
            on: course)
        #expect(!runner.hasFinished && abs(runner.distance - turn) < 5, "\(runner.distance)")
        // Twenty metres are within the accuracy of positions.
        let short = Street.follow(
            Street.fixes([(-20, 0), (0, 0), (327, 980), (653, 2), (700, 2)], on: course),
            on: course)
        #expect(short.hasFinished || short.distance > 1_990, "\(short.distance)")
    }

    @Test func `Laps run backwards after the first do not count`() throws {
        let course = try Street.block(laps: 10)
        for every in [1.0, 10, 30] {
            let runner = Street.follow(
                Street.fixes(
                    [(-20, 0), (0, 0), (100, 400), (1_000, -3_200), (1_100, -3_200)], on: course,
                    every: every), on: course)
            #expect(runner.distance < 420, "every \(every) s: \(runner.distance)")
        }
    }

    @Test func `A short cut through the middle of a closed course misses checkpoints`() throws {
        let course = try Street.loop(250)
        #expect(course.checkpoints.map { $0.rounded() } == [250, 500, 750])
        var fixes: [Fix] = []
        for second in 0...60 {
            fixes.append(Street.fix(Street.place(Double(second) * 3, 0), Double(second)))
        }
        for second in 0...60 {
            let east = 180 - Double(second) * 3
            fixes.append(Street.fix(Street.place(east, 180 - east), 61 + Double(second)))
        }
        for second in 0...90 {
            let north = max(0, 180 - Double(second) * 3)
            fixes.append(Street.fix(Street.place(0, north), 122 + Double(second)))
        }
        let runner = Street.follow(fixes, on: course)
        #expect(runner.missed == [0, 1, 2])
        #expect(Standings([1: runner], by: RaceClock(.own, gun: Street.gun)).entries.isEmpty)
    }

    @Test func `A closed eight run without one of its loops misses checkpoints`() throws {
        let course = try Course(
            Street.line(
                (0, 0), (400, 400), (800, 400), (800, 0), (400, 0), (0, 400), (-200, 400),
                (-200, 0), (0, 0)))
        var fixes: [Fix] = []
        let way = [
            (0.0, 0.0, 0.0), (94, 200, 200), (188, 0, 400), (255, -200, 400),
            (388, -200, 0), (455, 0, 0), (1_500, 0, 0),
        ]
        for (from, to) in zip(way, way.dropFirst()) {
            for second in stride(from: from.0, to: to.0, by: 1) {
                let part = (second - from.0) / (to.0 - from.0)
                fixes.append(
                    Street.fix(
                        Street.place(
                            from.1 + (to.1 - from.1) * part, from.2 + (to.2 - from.2) * part),
                        second))
            }
        }
        #expect(!Street.follow(fixes, on: course).missed.isEmpty)
        for noise in [0.0, 8] {
            let fair = Street.follow(Street.run(course, speed: 3, noise: noise), on: course)
            #expect(fair.hasFinished && fair.missed.isEmpty)
        }
    }
}
