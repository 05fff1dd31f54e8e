/// A position with its time and its accuracy in metres.
struct Place {
    let coordinate: Coordinate
    let takenAt: Timestamp
    let accuracy: Double

    init(_ fix: Fix) {
        (coordinate, takenAt, accuracy) = (fix.coordinate, fix.takenAt, fix.accuracy ?? 0)
    }

    init(_ stray: DeviceTrack.Stray) {
        (coordinate, takenAt, accuracy) = (stray.coordinate, stray.takenAt, 0)
    }
}

extension Fix {
    /// Whether this fix needs a second one to be believed: it would require an impossible speed, or
    /// a coordinate is exactly 0, as for a device that does not know it, and the person was
    /// elsewhere.
    func isDoubtful(after known: Place?, _ rules: Rules) -> Bool {
        guard let known else { return coordinate.isOnZero }
        guard !coordinate.isClose(to: known.coordinate) else { return false }
        let distance = known.coordinate.distance(to: coordinate)
        func reach(in time: Double) -> Double { rules.leapSpeed * (rules.leapSlack.seconds + time) }
        if coordinate.isOnZero, distance > reach(in: 0) { return true }
        let time = max(takenAt - known.takenAt, known.takenAt - takenAt)
        return distance - known.accuracy - (accuracy ?? 0) > reach(in: time.seconds)
    }

    /// Whether a known position is more informative than this one: it is fresh, far more exact, and
    /// within this one's circle.
    ///
    /// - Parameter track: the track of the known position's device.
    func saysLess(than known: Fix, of track: DeviceTrack, _ rules: Rules) -> Bool {
        guard let accuracy, accuracy > rules.coarseAccuracy,
            (known.accuracy ?? 0) * 2 <= accuracy
        else { return false }
        let isAtRest = track.since + rules.exactAge <= known.takenAt
        let age = isAtRest ? rules.exactAgeAtRest : rules.exactAge
        return takenAt <= known.takenAt + age
            && known.coordinate.distance(to: coordinate) <= accuracy * rules.accuracyFactor
    }
}

extension Coordinate {
    /// Whether its latitude or its longitude is exactly 0.
    var isOnZero: Bool { latitudeE7 == 0 || longitudeE7 == 0 }

    /// Whether it is certainly within 3.2 km, without computing the exact distance.
    func isClose(to other: Coordinate) -> Bool {
        let near: Int64 = 200_000
        return abs(Int64(latitudeE7) - Int64(other.latitudeE7)) < near
            && abs(Int64(longitudeE7) - Int64(other.longitudeE7)) < near
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}
