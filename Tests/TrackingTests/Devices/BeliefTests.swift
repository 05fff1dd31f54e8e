import TestSupport
import Testing
import Tracking

/// Impossible positions.
struct BeliefTests {
    private static let home = (latitude: 43.0731, longitude: -88.1571501)

    /// One report of a phone: when it was taken, and where.
    struct Report: Sendable {
        let seconds: Int
        let latitude: Double
        let longitude: Double
        var accuracy: Double?
        var device = DeviceID.phone
    }

    /// Where the person is after the reports, each received when it was taken.
    private func latest(after reports: [Report]) throws -> Fix? {
        var stage = try Timeline.stage(after: "10:00:00 joins family\n10:00:00 shares with family")
        let start = try #require(Timestamp(clock: "10:00:00"))
        for report in reports {
            let at = start + .seconds(report.seconds)
            let coordinate = try #require(
                Coordinate(latitude: report.latitude, longitude: report.longitude))
            let fix = Fix(
                coordinate: coordinate, takenAt: at, receivedAt: at, accuracy: report.accuracy)
            _ = stage.apply(.fix(fix, report.device), at: at)
        }
        return stage.tracker.latest
    }

    // MARK: A coordinate of exactly 0

    private static let zeros: [(reports: [(Int, Double, Double)], latitude: Double)] = [
        // Alone, twice, and from two devices.
        ([(21, 0.0, -88.157135)], 43.0731),
        ([(21, 0, -88.157135), (22, 0, -88.1571501)], 43.0731),
        // While driving, the longitude is right, and changes.
        ([(21, 0, -88.2), (41, 0, -88.3), (61, 0, -88.4), (81, 0, -88.5)], 43.0731),
        // Hours later, as fast as an aircraft.
        ([(50_000, 0, -88.157135)], 43.0731),
        ([(50_000, 0, -88.157135), (50_060, 0, -88.157134)], 43.0731),
        // The longitude.
        ([(21, 43.0731, 0)], 43.0731),
        // Both.
        ([(21, 0, 0), (22, 0, 0)], 43.0731),
        // Between right ones.
        (
            [(21, 0, -88.157), (30, 43.0732, -88.157), (40, 0, -88.157), (50, 43.0733, -88.157)],
            43.0733
        ),
        // On the equator the next one is not exactly 0: the person flew there.
        ([(50_000, 0, -88.157), (50_060, 0.00001, -88.157)], 0.00001),
        ([(50_000, 0.00001, -88.157), (50_060, 0, -88.157)], 0),
    ]

    @Test(arguments: zeros)
    func `A coordinate of exactly 0 far from the last position moves no one`(
        _ reports: [(Int, Double, Double)], latitude: Double
    ) throws {
        let first = Report(
            seconds: 0, latitude: Self.home.latitude, longitude: Self.home.longitude, accuracy: 165)
        let others = reports.map {
            Report(seconds: $0.0, latitude: $0.1, longitude: $0.2, accuracy: 65)
        }
        let fix = try #require(try latest(after: [first] + others))
        #expect(abs(fix.coordinate.latitude - latitude) < 1e-6)
        #expect(fix.coordinate.longitude != 0)
        // The same, every second one from another device.
        let mixed = others.enumerated().map { index, report in
            var report = report
            if index == 1, report.latitude == 0 { report.device = .watch }
            return report
        }
        if others.allSatisfy({ $0.latitude == 0 || $0.longitude == 0 }) {
            let fix = try #require(try latest(after: [first] + mixed))
            #expect(abs(fix.coordinate.latitude - Self.home.latitude) < 1e-6)
        }
    }

    private static let zerosAtFirst: [(reports: [(Int, Double, Double)], latitude: Double?)] = [
        ([(0, 0.0, 32.5)], nil),
        ([(0, 0, 32.5), (60, 0, 32.5)], nil),
        ([(0, 0, 32.5), (60, 0.0001, 32.5)], 0.0001),
        ([(0, 0.0001, 32.5), (60, 0, 32.5)], 0),
        ([(0, 51.4, 0), (60, 51.4, 0.0001)], 51.4),
        // A way across the line.
        ([(0, 51.4, 0.01), (60, 51.4, 0), (120, 51.4, -0.01)], 51.4),
    ]

    @Test(arguments: zerosAtFirst)
    func `A first coordinate of exactly 0 waits for one beside it`(
        _ reports: [(Int, Double, Double)], latitude: Double?
    ) throws {
        let fix = try latest(
            after: reports.map { Report(seconds: $0.0, latitude: $0.1, longitude: $0.2) })
        #expect(fix?.coordinate.latitude == latitude)
    }

    // MARK: Leaps

    private static let leaps: [(reports: [(Int, Double)], latitude: Double)] = [
        // A second, 30 km: waits for a second one that agrees.
        ([(1, 43.34)], 43.0731),
        ([(1, 43.34), (2, 43.3401)], 43.3401),
        ([(1, 43.34), (2, 43.0732)], 43.0732),
        // One that leaps elsewhere does not agree, and the one after that does.
        ([(1, 43.34), (2, 44.9)], 43.0731),
        ([(1, 43.34), (2, 44.9), (3, 44.9)], 44.9),
        // Never the same twice.
        ([(1, 43.34), (2, 43.0731), (3, 43.34), (4, 43.0731), (5, 43.34)], 43.0731),
        // An aircraft, a train, a car, and a jump of less than some kilometres.
        ([(1200, 45.5)], 45.5), ([(60, 43.12)], 43.12), ([(10, 43.076)], 43.076),
        ([(1, 43.095)], 43.095),
        // A clock that went backwards and one fix from the future are not leaps.
        ([(21, 43.0732), (22, 43.0733)], 43.0733),
    ]

    @Test(arguments: leaps)
    func `A leap faster than an aircraft waits for a second fix`(
        _ reports: [(Int, Double)], latitude: Double
    ) throws {
        let first = Report(seconds: 0, latitude: Self.home.latitude, longitude: Self.home.longitude)
        let others = reports.map {
            Report(seconds: $0.0, latitude: $0.1, longitude: Self.home.longitude)
        }
        let fix = try #require(try latest(after: [first] + others))
        #expect(abs(fix.coordinate.latitude - latitude) < 1e-6)
    }

    @Test func `A waiting fix decides nothing on a journey and is not on its path`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 0 m
                10:00:00 travels to 90000 m by 12:00:00 with family
                10:00:10 phone at 10 m
                """,
            showing: [.positions, .alerts, .paths],
            """
            10:00:20 phone at 90000 m
            10:00:30 shows the path
                path: 10 m
            10:00:40 phone at 40 m
                family v5 at 40 m
                path 1 grows
            10:00:50 phone at 90000 m
            10:00:55 phone at 89000 m
                family v6 at 89006 m
                path 1 grows
            """)
    }

    @Test func `A phone that sends only waiting fixes is silent`() throws {
        var stage = try Timeline.stage(
            after: """
                10:00:00 joins family
                10:00:00 phone connects
                10:00:00 phone at 0 m
                10:00:00 travels to 90000 m by 12:00:00 with family
                """)
        let start = try #require(Timestamp(clock: "10:00:00"))
        let nowhere = try #require(Coordinate(latitude: 0, longitude: 14.5))
        var told: [Alert.Kind] = []
        for second in stride(from: 10, to: 400, by: 10) {
            let at = start + .seconds(second)
            told += stage.pass(until: at).kinds
            let fix = Fix(coordinate: nowhere, takenAt: at, receivedAt: at)
            told += stage.apply(.fix(fix, .phone), at: at).effects.kinds
        }
        #expect(told == [.silent])
    }

    /// A fix that waits, is coarse or is from another device moves no one, in any order.
    @Test(arguments: seeds)
    func `A person among wrong positions is never far from their way`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let start = try #require(Timestamp(clock: "10:00:00"))
        let nowhere = try #require(Coordinate(latitude: 0, longitude: 14.5))
        var stage = try Timeline.stage(after: "10:00:00 joins family\n10:00:00 triggers SOS")
        func tell(_ coordinate: Coordinate, _ accuracy: Double, _ device: DeviceID, at second: Int)
        {
            let at = start + .seconds(second)
            let fix = Fix(
                coordinate: coordinate, takenAt: at, receivedAt: at, accuracy: accuracy)
            _ = stage.apply(.fix(fix, device), at: at)
        }
        tell(Road.place(0), 5, .phone, at: 0)
        tell(Road.place(0), 5, .tablet, at: 1)
        var place = 0.0
        for second in 2..<600 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: tell(nowhere, 5, .phone, at: second)
            case 1:
                let far = place + Double.random(in: 10_000...90_000, using: &random)
                tell(Road.place(far), 5, .phone, at: second)
                // Two leaps in succession may agree by chance.
                tell(Road.place(place), 5, .phone, at: second)
            case 2:
                let off = Double.random(in: -900...900, using: &random)
                tell(Road.place(place + off), 1000, .phone, at: second)
            case 3: tell(Road.place(0), 5, .tablet, at: second)
            default:
                place += Double.random(in: 0...20, using: &random)
                tell(Road.place(place), 5, .phone, at: second)
            }
            let latest = try #require(stage.tracker.latest)
            #expect(Road.place(place).distance(to: latest.coordinate) < 300)
        }
    }
}

extension [Effect] {
    fileprivate var kinds: [Alert.Kind] {
        compactMap { if case .alert(let alert, _) = $0 { alert.kind } else { nil } }
    }
}
