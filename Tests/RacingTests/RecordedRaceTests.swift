import FakeGPS
import Foundation
import Racing
import Testing
import Tracking

/// Recordings of several devices on the same way at the same time, where the machine has them.
struct RecordedRaceTests {
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized

    static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: name).path())
    }

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

    /// The way as an organiser would draw it after one device.
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
    @Test(.enabled(if: has("fleet-b-edge605.gpx")))
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
}
