import Racing
import Testing
import Tracking

/// Unseen parts count as far as the next positions leave no other way.
struct SilenceTests {
    private func track() throws -> Course { try Street.block(laps: 10) }

    @Test(arguments: [[251...849], [251...369, 371...609, 611...849], []], [1.0, 10])
    func `A phone that rests ten minutes on a track has run nothing in between`(
        silent: [ClosedRange<Double>], every: Double
    ) throws {
        let course = try track()
        var before = 0.0
        let runner = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (250, 1_000), (850, 1_000), (1_600, 4_000), (1_650, 4_000)],
                on: course, every: every, noise: 5, silent: silent), on: course
        ) { runner, fix in
            if Street.seconds(fix.takenAt) == 860 { before = runner.distance }
        }
        #expect(abs(before - 1_040) < 60, "\(before)")
        #expect(runner.hasFinished)
    }

    @Test(arguments: [20.0, 40, 60, 75])
    func `A gap of less than a lap on a track is run through`(gap: Double) throws {
        let course = try track()
        let runner = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (1_000, 4_000), (1_050, 4_000)], on: course,
                silent: [300...(300 + gap)]), on: course)
        #expect(runner.hasFinished && runner.missed.isEmpty, "\(runner.distance)")
        #expect(abs((Street.seconds(runner.finishedAt) ?? 0) - 1_000) < 5)
    }

    @Test func `A phone that rests ten minutes and goes back has not reached the turn`() throws {
        let course = try Street.outAndBack()
        for rest in [300.0, 467, 600, 1_200] {
            let runner = Street.follow(
                Street.fixes(
                    [
                        (-20, 0), (0, 0), (33, 100), (33 + rest, 100), (66 + rest, 0),
                        (600 + rest, 0),
                    ],
                    on: course, silent: [34...(32 + rest)]), on: course)
            #expect(runner.distance < 140, "\(rest) s: \(runner.distance)")
        }
    }

    @Test(arguments: [300.0, 600, 3_600])
    func `A start, a silence and the finish do not make a round of a closed course`(silence: Double)
        throws
    {
        let course = try Street.loop(250)
        let runner = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (33, 100), (33 + silence, 0), (900 + silence, 0)], on: course,
                silent: [34...(32 + silence)]), on: course)
        #expect(!runner.hasFinished && runner.distance < 140, "\(runner.distance)")
    }

    @Test(arguments: [233.0...340, 133...300, 33...300])
    func `An unseen part of a closed course counts if the runner continues after it`(
        silent: ClosedRange<Double>
    ) throws {
        let course = try Street.loop(250)
        let runner = Street.follow(
            Street.fixes(
                [(-20, 0), (0, 0), (333, 1_000), (400, 1_000)], on: course, silent: [silent]),
            on: course)
        #expect(runner.hasFinished && runner.missed.isEmpty, "\(runner.distance)")
    }
}
