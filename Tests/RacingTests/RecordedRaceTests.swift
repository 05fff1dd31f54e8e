import FakeGPS
import Foundation
import Racing
import Testing
import Tracking

/// Recordings of several devices on the same way at the same time, where the machine has them.
struct RecordedRaceTests {
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    private func track(_ name: String) throws -> Track {
        try Track(
            reading: Array(Data(contentsOf: RecordedRaceTests.folder.appending(path: name))))
    }

    private func fixes(_ track: Track) -> [Fix] {
        track.samples.map { sample in
            let time = Street.gun + sample.offset
            return Fix(
                coordinate: sample.coordinate, takenAt: time, receivedAt: time,
                accuracy: sample.accuracy)
        }
    }

    /// The course as an organiser would draw it from one device.
    private func course(_ track: Track) throws -> Course {
        var points: [Coordinate] = []
        for sample in track.samples
        where points.last.map({ $0.distance(to: sample.coordinate) > 15 }) ?? true {
            points.append(sample.coordinate)
        }
        return try Course(points)
    }

    static let devices = [
        "fleet-b-etrex30x.gpx", "fleet-b-lezyne.gpx", "fleet-b-openlog.gpx", "fleet-b-phone1.gpx",
        "fleet-b-phone2.gpx", "fleet-b-sparse.gpx",
    ]

    /// Seven devices on one bicycle: they are level all the way.
    @Test(.enabled(if: isThere, "needs ../shared/data"))
    func `Devices on one bicycle go along the course together`() throws {
        var rules = RacingRules()
        rules.maximumSpeed = 25
        let lead = try track("fleet-b-edge605.gpx")
        let course = try course(lead)
        var own = 0.0
        for (from, to) in zip(lead.samples, lead.samples.dropFirst()) {
            own += from.coordinate.distance(to: to.coordinate)
        }
        #expect(abs(course.length - own) < own * 0.03, "\(course.length) for \(own)")
        for name in ["fleet-b-edge605.gpx"] + RecordedRaceTests.devices {
            var before = 0.0
            let track = try track(name)
            let runner = Street.follow(fixes(track), on: course, rules) { runner, _ in
                #expect(runner.distance >= before)
                before = runner.distance
            }
            #expect(runner.distance > course.length * 0.95, "\(name): \(runner.distance)")
            let end = course.point(at: runner.distance).distance(to: track.destination)
            #expect(end < 60, "\(name) ends \(end) m from where it says")
        }
    }

    /// The marks of a race in the order in which the boats round them, and when each boat passes
    /// the last one by its own file: the fix nearest to it, within 6 m.
    private static let marks = [
        (53.542_484_6, 9.801_163_9), (53.545_082_5, 9.804_332_3), (53.542_484_6, 9.801_163_9),
        (53.542_997_8, 9.806_113_2), (53.548_238, 9.812_614_9), (53.549_216_5, 9.807_373_9),
    ]
    private static let boats = [
        (file: "regatta2023-boat1.gpx", begins: "10:30:39", comes: "11:19:46"),
        (file: "regatta2023-boat2.gpx", begins: "10:53:32", comes: "11:19:05"),
        (file: "regatta2023-boat3.gpx", begins: "10:54:31", comes: "11:20:03"),
    ]

    private func seconds(_ text: String) -> Double {
        text.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? 0) }
    }

    /// Boats do not sail straight, so the tolerance beside the line is larger, and smaller in time:
    /// they pass the first mark half a minute after the start.
    @Test(.enabled(if: isThere, "needs ../shared/data"))
    func `Three boats finish in the order, and at the times, in their files`() throws {
        var rules = RacingRules()
        rules.tolerance = 100
        rules.finishTolerance = 6
        let course = try Course(
            RecordedRaceTests.marks.compactMap { Coordinate(latitude: $0.0, longitude: $0.1) })
        let gun = seconds("11:02:00")
        var runners: [Int: Runner] = [:]
        for (number, boat) in RecordedRaceTests.boats.enumerated() {
            let begins = seconds(boat.begins)
            var runner = Runner()
            for fix in fixes(try track(boat.file)) {
                let time = fix.takenAt + .seconds(Int64(begins - gun))
                let moved = Fix(
                    coordinate: fix.coordinate, takenAt: time, receivedAt: time,
                    accuracy: fix.accuracy)
                runner.receive(moved, on: course, from: Street.gun, rules)
            }
            let finishedAt = try #require(
                runner.finishedAt, "\(boat.file): \(runner.distance) of \(course.length)")
            let late = (finishedAt - Street.gun) / .seconds(1) - (seconds(boat.comes) - gun)
            #expect(abs(late) <= 10, "\(boat.file) is \(late) s late")
            runners[number + 1] = runner
        }
        // The order over the line, since a regatta has one start.
        let clock = RaceClock(.gun, gun: Street.gun)
        #expect(Standings(runners, by: clock).entries.map(\.bib) == [2, 1, 3])
    }
}
