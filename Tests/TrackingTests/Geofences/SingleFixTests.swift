import Testing
import Tracking

/// Arriving by a single position.
struct SingleFixTests {
    private static let start = Timestamp(milliseconds: 1_777_593_600_000)
    private static let fence = Geofence(centre: place(0), radius: 100)

    private static func place(_ metres: Double) -> Coordinate {
        guard let place = Coordinate(latitude: 46 + metres / 111_143, longitude: 14.5) else {
            preconditionFailure("it is on earth")
        }
        return place
    }

    private static func fix(
        _ metres: Double, _ seconds: Int64, accuracy: Double? = 5, speed: Double? = nil
    ) -> Fix {
        let time = start + .seconds(seconds)
        return Fix(
            coordinate: place(metres), takenAt: time, receivedAt: time, accuracy: accuracy,
            speed: speed)
    }

    /// Known to be far away.
    private func away() -> GeofencePresence {
        var presence = GeofencePresence()
        presence.begin(at: SingleFixTests.fix(2_000, 0), SingleFixTests.fence, Rules())
        return presence
    }

    @Test(
        arguments: [
            // Clearly inside, at the edge, and perhaps beyond it.
            (0.0, 5.0, Double?.none, true), (94, 5, nil, true), (97, 5, nil, false),
            (40, 70, nil, false), (39, 60, nil, true),
            // Without an accuracy as if it were off by 50 m.
            (45, nil, nil, true), (60, nil, nil, false),
            // In passing.
            (0, 5, 4.9, true), (0, 5, 14, false),
        ] as [(Double, Double?, Double?, Bool)])
    func `A single fix is an arrival if it is clearly inside`(
        metres: Double, accuracy: Double?, speed: Double?, isArrival: Bool
    ) {
        var presence = away()
        let fix = SingleFixTests.fix(metres, 3_600, accuracy: accuracy, speed: speed)
        #expect(presence.receive(fix, at: SingleFixTests.fence, Rules()) == nil)
        #expect((presence.settlesAt != nil) == isArrival)
        #expect(presence.settle(at: fix.takenAt + .seconds(60)) == nil)
        #expect(
            presence.settle(at: fix.takenAt + GeofencePresence.patience)
                == (isArrival ? .arrived : nil))
        #expect(presence.since == (isArrival ? fix.takenAt : SingleFixTests.start))
        // A crossing is reported only once.
        #expect(presence.settle(at: fix.takenAt + .seconds(3_600)) == nil)
    }

    @Test func `A single fix does not count if contradicted within a minute`() {
        var presence = away()
        for (metres, second) in [(0.0, 100), (2_000, 160)] as [(Double, Int64)] {
            #expect(
                presence.receive(
                    SingleFixTests.fix(metres, second), at: SingleFixTests.fence, Rules()) == nil)
        }
        #expect(presence.settlesAt == nil && presence.side == .outside)
        #expect(
            presence.receive(SingleFixTests.fix(0, 200), at: SingleFixTests.fence, Rules()) == nil)
        presence.note(late: .outside, at: SingleFixTests.start + .seconds(210))
        #expect(presence.settlesAt == nil)
    }

    @Test func `An hourly tracker arrives each day, and leaves by two fixes`() {
        var presence = away()
        var told: [GeofencePresence.Crossing] = []
        for hour in 1...72 {
            let second = Int64(hour) * 3_607
            if let crossing = presence.settle(at: SingleFixTests.start + .seconds(second)) {
                told.append(crossing)
            }
            let metres = (8...15).contains(hour % 24) ? 20.0 : 3_000
            if let crossing = presence.receive(
                SingleFixTests.fix(metres, second, accuracy: 20), at: SingleFixTests.fence, Rules())
            {
                told.append(crossing)
            }
        }
        #expect(told == [.arrived, .left, .arrived, .left, .arrived, .left])
    }

    @Test func `An app's first report is a crossing, a first fix is not`() {
        for side in [Geofence.Side.inside, .outside] {
            var presence = GeofencePresence()
            #expect(
                presence.report(side, at: SingleFixTests.start)
                    == (side == .inside ? .arrived : .left))
            #expect(presence.report(side, at: SingleFixTests.start + .seconds(9)) == nil)
        }
        var presence = GeofencePresence()
        #expect(
            presence.receive(SingleFixTests.fix(0, 0), at: SingleFixTests.fence, Rules()) == nil)
        #expect(presence.side == .inside && presence.settlesAt == nil)
    }
}
