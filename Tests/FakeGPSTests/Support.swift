import Contract
import Testing
import Tracking

@testable import FakeGPS

func bytes(of text: String) -> [UInt8] { Array(text.utf8) }

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
        preconditionFailure("not on the map")
    }
    return place
}

func sample(
    _ seconds: Double, _ latitude: Double, _ longitude: Double, altitude: Double? = nil,
    accuracy: Double? = nil, speed: Double? = nil, heading: Double? = nil
) -> Track.Sample {
    Track.Sample(
        offset: .milliseconds(Int64(seconds * 1000)), coordinate: place(latitude, longitude),
        altitude: altitude, accuracy: accuracy, speed: speed, heading: heading)
}

/// NMEA sentences from lines without dollar and checksum.
func nmea(_ lines: String) -> String {
    lines.split(separator: "\n").map { line in
        let sum = String(line.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(line)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }.joined()
}

/// A minute eastward, a sample each second.
let minute = Track(samples: (0...60).map { sample(Double($0), 45, 9 + Double($0) * 1e-4) })

func phone(_ user: String = "ann", on track: Track = minute) -> Phone {
    guard let user = Name(user), let device = Name("phone") else {
        preconditionFailure("not a name")
    }
    return Phone(user: user, device: device, track: track)
}
