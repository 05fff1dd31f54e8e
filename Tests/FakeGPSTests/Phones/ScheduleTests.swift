import Testing
import Tracking

@testable import FakeGPS

/// When each fix is taken, and its timestamp.
struct ScheduleTests {
    func departures(
        _ phone: Phone, _ pace: ReplaySpeed = .real, atMost limit: Int = 1000
    ) -> [Schedule.Departure] {
        var schedule = Schedule(phone, pace)
        var departures: [Schedule.Departure] = []
        while departures.count < limit, let departure = schedule.next() {
            departures.append(departure)
        }
        return departures
    }

    func seconds(_ durations: [Duration]) -> [Double] { durations.map(\.inSeconds) }

    @Test func `A track in real time is unchanged`() {
        let departures = departures(phone())
        #expect(departures.map(\.due) == minute.samples.map(\.offset))
        #expect(departures.map(\.takenAt) == departures.map(\.due))
        #expect(departures.map(\.sample) == minute.samples)
    }

    @Test func `Timestamps at twenty times the speed are the sending times`() {
        let departures = departures(phone(), ReplaySpeed(speed: 20))
        #expect(seconds(departures.map(\.due)) == (0...60).map { Double($0) / 20 })
        #expect(departures.map(\.takenAt) == departures.map(\.due))
    }

    @Test func `The last fix is live and all others are late if intervals are kept`() {
        let departures = departures(phone(), ReplaySpeed(speed: 20, keepsIntervals: true))
        #expect(seconds(departures.map(\.takenAt)) == (0...60).map { Double($0) - 57 })
        #expect(departures.last?.takenAt == departures.last?.due)
        #expect(departures.allSatisfy { $0.takenAt <= $0.due })
    }

    @Test(arguments: [0.01, 0.5, 1, 3, 100_000], [false, true])
    func `Timestamps are never ahead of the clock and never repeat`(
        speed: Double, keepsIntervals: Bool
    ) {
        var phone = phone()
        phone.startsAfter = .seconds(5)
        let departures = departures(
            phone, ReplaySpeed(speed: speed, keepsIntervals: keepsIntervals))
        #expect(departures.allSatisfy { $0.takenAt <= $0.due })
        for pair in zip(departures, departures.dropFirst()) {
            #expect(pair.0.due <= pair.1.due)
            #expect(pair.0.takenAt + .milliseconds(1) <= pair.1.takenAt)
        }
    }

    @Test func `No fix is taken in a gap, by the track's time`() {
        var phone = phone()
        phone.gaps = [.seconds(10)..<(.seconds(20)), .seconds(59)..<(.seconds(99))]
        let offsets = departures(phone, ReplaySpeed(speed: 2)).map(\.sample.offset)
        #expect(offsets == (Array(0..<10) + Array(20..<59)).map { .seconds($0) })
    }

    @Test(
        arguments: [(4.9, nil), (5.0, 15.0), (12, 20), (19.9, 20), (20, nil)] as [(Double, Double?)]
    )
    func `A buffer is silent by the track's time`(now: Double, end: Double?) {
        var phone = phone()
        phone.buffers = [.seconds(10)..<(.seconds(30)), .seconds(20)..<(.seconds(40))]
        let schedule = Schedule(phone, ReplaySpeed(speed: 2))
        #expect(schedule.silence(at: .seconds(now)) == end.map { .seconds($0) })
        #expect(departures(phone).count == 61)
    }

    @Test func `A staggered phone begins later`() {
        var phone = phone()
        phone.startsAfter = .seconds(100)
        #expect(seconds(departures(phone, ReplaySpeed(speed: 2)).map(\.due)).first == 100)
        #expect(seconds(departures(phone, ReplaySpeed(speed: 2)).map(\.due)).last == 130)
    }

    @Test func `Jitter has the requested size and depends only on the seed`() {
        var phone = phone()
        phone.jitter = 20
        let errors = zip(departures(phone), minute.samples).map {
            $0.sample.coordinate.distance(to: $1.coordinate)
        }
        #expect(errors.reduce(0, +) > 61)
        #expect(errors.allSatisfy { $0 < 100 })
        #expect(departures(phone).allSatisfy { $0.sample.accuracy == 20 * 2.448 })
        #expect(departures(phone) == departures(phone))
        let before = departures(phone)
        phone.seed += 1
        #expect(departures(phone) != before)
    }

    @Test func `A track is run back and forth without end`() {
        let track = Track(samples: [
            sample(0, 0, 0, heading: 10), sample(1, 0, 1, heading: 200), sample(4, 0, 2),
        ])
        var phone = phone(on: track)
        phone.goesBackAndForth = true
        let departures = departures(phone, atMost: 7)
        #expect(seconds(departures.map(\.due)) == [0, 1, 4, 7, 8, 9, 12])
        #expect(departures.map(\.sample.coordinate.longitude) == [0, 1, 2, 1, 0, 1, 2])
        #expect(departures.map(\.sample.heading) == [10, 200, nil, 20, 190, 200, nil])
    }

    @Test func `A single-point track ends even when run back and forth`() {
        var phone = phone(on: Track(samples: [sample(0, 1, 1)]))
        phone.goesBackAndForth = true
        #expect(departures(phone).count == 1)
    }

    @Test func `An OwnTracks phone takes at most one fix per second`() {
        var phone = phone()
        phone.format = .ownTracks
        let departures = departures(phone, ReplaySpeed(speed: 20))
        #expect(seconds(departures.map(\.takenAt)) == [0, 1, 2, 3])
    }
}
