import Racing
import Testing
import Tracking

/// How far a runner has come.
struct RunnerTests {
    static let courses: [(String, @Sendable () throws -> Course)] = [
        ("out and back", { try Street.outAndBack() }),
        ("five laps of a block", { try Street.block(laps: 5) }),
        ("an eight", { try Street.eight() }),
    ]

    @Test(arguments: [0, 1, 2], [0.0, 4, 10])
    func `A runner is tracked along the course, on time and never backwards`(
        number: Int, noise: Double
    ) throws {
        let (name, make) = RunnerTests.courses[number]
        let course = try make()
        for (seed, speed) in [(1, 2.0), (2, 3.3), (3, 5.5)] as [(UInt64, Double)] {
            var before = 0.0
            let fixes = Street.run(course, speed: speed, noise: noise, seed: seed)
            let runner = Street.follow(fixes, on: course) { runner, fix in
                #expect(runner.distance >= before, "\(name)")
                before = runner.distance
                let seconds = Street.seconds(fix.takenAt) ?? 0
                let real = max(0, min(seconds * speed, course.length))
                #expect(
                    abs(runner.distance - real) < 30 + 3 * noise,
                    "\(name) at \(speed) m/s, \(seconds) s: \(runner.distance) for \(real)")
            }
            let (start, end) = (Street.seconds(runner.startedAt), Street.seconds(runner.finishedAt))
            #expect(abs((start ?? .infinity)) < 4 + noise, "\(name)")
            #expect(abs((end ?? .infinity) - course.length / speed) < 6 + noise, "\(name)")
            #expect(runner.distance == course.length && runner.missed.isEmpty)
        }
    }

    @Test func `The finish time is interpolated between two fixes`() throws {
        let course = try Course(Street.line((0, 0), (1_000, 0)))
        for step in [1.0, 7, 30] {
            let fixes = Street.run(course, speed: 4, every: step)
            let end = Street.seconds(Street.follow(fixes, on: course).finishedAt)
            #expect(abs((end ?? 0) - 250) < 2 + step / 5, "every \(step) s")
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `The result does not depend on the order of arrival`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let course = try Street.eight()
        let fixes = Street.run(course, speed: 3, noise: 8, seed: seed)
        #expect(
            Street.follow(fixes.shuffled(using: &random), on: course)
                == Street.follow(fixes, on: course))
        // Duplicates do not count.
        #expect(Street.follow(fixes + fixes, on: course) == Street.follow(fixes, on: course))
    }

    @Test func `A single wrong fix far ahead moves no runner, but a real sprint counts`() throws {
        let course = try Course(Street.line((0, 0), (3_000, 0)))
        var fixes = Street.run(course, speed: 3)
        fixes.append(Street.fix(Street.place(700, 2), 100.5))
        var most = 0.0
        _ = Street.follow(fixes, on: course) { runner, fix in
            if (Street.seconds(fix.takenAt) ?? 0) < 110 { most = max(most, runner.distance) }
        }
        #expect(most < 340)
        let beside = Street.follow(fixes + [Street.fix(Street.place(500, 900), 200.5)], on: course)
        #expect(beside.finishedAt != nil)
        // Ten seconds at a sprinter's speed.
        let sprint = (0..<20).map { Street.fix(Street.place(Double($0) * 9, 0), Double($0)) }
        #expect(Street.follow(sprint, on: course).distance > 150)
    }

    @Test func `A gap is bridged, including one over the turn`() throws {
        let course = try Street.outAndBack()
        let fixes = Street.run(course, speed: 3).filter {
            !(250...420).contains(Street.seconds($0.takenAt) ?? 0)
        }
        var followed = 0
        let runner = Street.follow(fixes, on: course) { runner, fix in
            guard let seconds = Street.seconds(fix.takenAt), seconds > 425, seconds < 660 else {
                return
            }
            followed += 1
            #expect(abs(runner.distance - seconds * 3) < 40, "at \(seconds) s")
        }
        #expect(followed > 0)
        #expect(abs((Street.seconds(runner.finishedAt) ?? 0) - course.length / 3) < 6)
        #expect(runner.missed.isEmpty)
    }

    @Test func `Unseen laps do not count, and only two laps are searched`() throws {
        let course = try Street.block(laps: 200)
        let speed = 4.0
        var runner = Runner()
        var most = 0
        for fix in Street.run(course, speed: speed) {
            let seconds = Street.seconds(fix.takenAt) ?? 0
            if (600...7_800).contains(seconds) { continue }
            let segmentsRead = runner.receive(fix, on: course, from: Street.gun, RacingRules())
            most = max(most, segmentsRead)
            let seen = seconds < 700 ? seconds : seconds - 7_200
            let real = max(0, min(seen * speed, course.length))
            #expect(abs(runner.distance - real) < 40, "at \(seconds) s")
        }
        #expect(!runner.hasFinished)
        // A person who stays at home, an hour after the start.
        let home = Street.fix(Street.place(0, 50_000), 3_600)
        most = max(most, Runner.segmentsRead(for: home, on: course))
        #expect((4...10).contains(most))
    }

    @Test func `A runner off the course stays where they left it and can return`() throws {
        let course = try Course(Street.line((0, 0), (2_000, 0)))
        let away = Street.run(course, speed: 3).map { fix -> Fix in
            let seconds = Street.seconds(fix.takenAt) ?? 0
            guard (200...320).contains(seconds) else { return fix }
            // To a café, and back.
            return Street.fix(Street.place(600, 50 + (260 - abs(260 - seconds))), seconds)
        }.filter { !(320.5...400).contains(Street.seconds($0.takenAt) ?? 0) }
        var isAway = false
        let runner = Street.follow(away, on: course) { runner, fix in
            guard (205...320).contains(Street.seconds(fix.takenAt) ?? 0) else { return }
            isAway = runner.isOffCourse
            #expect(runner.distance < 640)
        }
        #expect(isAway && runner.finishedAt != nil)
    }

    @Test func `A short cut misses a checkpoint, a gap does not`() throws {
        let course = try Course(
            Street.line((0, 0), (0, 1_000), (300, 1_000), (300, 0)), checkpoints: [1_150])
        let fair = Street.run(course, speed: 4)
        var cut = fair.filter { (Street.seconds($0.takenAt) ?? 0) < 150 }
        for second in 0...75 {
            cut.append(Street.fix(Street.place(Double(second) * 4, 600), 150 + Double(second)))
        }
        for second in 0...160 {
            let north = 600 - Double(second) * 4
            cut.append(Street.fix(Street.place(300, north), 226 + Double(second)))
        }
        let shorter = Street.follow(cut, on: course)
        #expect(shorter.missed == [0] && shorter.finishedAt != nil)
        let gap = fair.filter { !(150...430).contains(Street.seconds($0.takenAt) ?? 0) }
        #expect(Street.follow(gap, on: course).missed.isEmpty)
        // The organiser drops the checkpoint.
        let corrected = try Course(course.points)
        #expect(Street.follow(cut, on: corrected).missed.isEmpty)
    }

    @Test func `No runner starts before the gun; one first seen later started in time`() throws {
        let course = try Course(Street.line((0, 0), (2_000, 0)))
        let warm = (0..<60).map { Street.fix(Street.place(Double($0) * 3, 0), Double($0) - 100) }
        #expect(!Street.follow(warm, on: course).hasStarted)
        let late = Street.run(course, speed: 3).filter { (Street.seconds($0.takenAt) ?? 0) > 200 }
        let runner = Street.follow(late, on: course)
        #expect(runner.startedAt == Street.gun && runner.finishedAt != nil)
        // From behind the line, half a minute after the gun.
        let queue = Street.run(course, speed: 3).compactMap { fix -> Fix? in
            let seconds = (Street.seconds(fix.takenAt) ?? 0) + 30
            return Street.fix(fix.coordinate, seconds)
        }
        let start = Street.seconds(Street.follow(queue, on: course).startedAt) ?? 0
        #expect(abs(start - 30) < 4)
    }
}

extension Runner {
    /// For a runner with no earlier fixes.
    fileprivate static func segmentsRead(for fix: Fix, on course: Course) -> Int {
        var runner = Runner()
        return runner.receive(fix, on: course, from: Street.gun, RacingRules())
    }
}
