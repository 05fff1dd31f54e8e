import Contract
import TestSupport
import Tracking

@testable import FakeGPS

func sample(_ seconds: Double, _ latitude: Double, _ longitude: Double) -> Track.Sample {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
        preconditionFailure("not on the map")
    }
    return Track.Sample(
        offset: .milliseconds(Int64(seconds * 1000)), coordinate: place, altitude: nil,
        accuracy: nil, speed: nil, heading: nil)
}

/// A minute eastward, a sample each second.
let minute = Track(samples: (0...60).map { sample(Double($0), 45, 9 + Double($0) * 1e-4) })

func phone(_ user: Name = "ann", on track: Track = minute) -> Phone {
    Phone(user: user, device: "phone", track: track)
}
