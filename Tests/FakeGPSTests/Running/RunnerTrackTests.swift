import Racing
import Testing
import Tracking

@testable import FakeGPS

/// Invented runners run the course, as `Racing` sees it.
struct RunnerTrackTests {
    private func course() throws -> Course {
        let corners = [
            (46.0, 14.5), (46.0, 14.51), (46.008, 14.51), (46.008, 14.5), (46.0, 14.5),
        ]
        return try Course(
            corners.compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }, laps: 2)
    }

    @Test
    func `Most of a hundred runners finish, at different times, cutting no corners`() throws {
        let course = try course()
        let gun = Timestamp(milliseconds: 1_795_345_200_000)
        var times: Set<Int64> = []
        var finished = 0
        for seed in 1...100 {
            let track = RunnerTrack(course, seed: UInt64(seed)).track(after: 60)
            #expect(track == RunnerTrack(course, seed: UInt64(seed)).track(after: 60))
            var runner = Runner()
            for sample in track.samples {
                let time = gun - .seconds(60) + sample.offset
                let fix = Fix(
                    coordinate: sample.coordinate, takenAt: time, receivedAt: time,
                    accuracy: sample.accuracy)
                runner.receive(fix, on: course, from: gun, RacingRules())
            }
            #expect(runner.missed.isEmpty)
            guard let finishedAt = runner.finishedAt, let startedAt = runner.startedAt else {
                continue
            }
            finished += 1
            times.insert(finishedAt.milliseconds)
            // At the start for a while, and not before.
            #expect((gun - .seconds(2)...gun + .seconds(40)).contains(startedAt))
            let speed = course.length / ((finishedAt - startedAt) / .seconds(1))
            #expect((1.0...5.5).contains(speed), "\(seed): \(speed) m/s")
        }
        #expect((85...100).contains(finished), "\(finished) finished")
        #expect(times.count > 80)
    }
}
