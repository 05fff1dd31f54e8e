import Contract
import Testing
import Tracking

/// MemberState and Alert (contract, section 5), byte for byte.
struct MemberStateTests {
    private let start = Timestamp.now
    private let rules = Rules()

    private func fix(_ latitude: Double, after seconds: Int) throws -> Fix {
        let time = start + .seconds(seconds)
        return Fix(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: 14.5)),
            takenAt: time, receivedAt: time, accuracy: 5)
    }

    private func joined() -> Tracker {
        var tracker = Tracker(user: UserID(rawValue: 7))
        _ = tracker.join(GroupID(rawValue: 1), at: start)
        return tracker
    }

    private func payload(_ tracker: Tracker) throws -> String {
        let session = try #require(tracker.session(in: GroupID(rawValue: 1)))
        return MemberState(
            user: .ann, name: "Ann Žagar", tracker: tracker, session: session, rules: rules
        ).payload.text
    }

    @Test func `A new member is inactive and has no position`() throws {
        #expect(
            try payload(joined()) == """
                {"user":"ann","name":"Ann Žagar","state":"inactive","online":false,\
                "warnings":[],"fix":null,"since":"2026-05-01T10:00:00.000Z","version":1}
                """)
    }

    @Test func `A sharing member has a position`() throws {
        var tracker = joined()
        _ = tracker.receive(try fix(46, after: 0), from: DeviceID(rawValue: 1), at: start, rules)
        _ = try tracker.startSharing(with: [GroupID(rawValue: 1)], at: start + .seconds(1))
        #expect(
            try payload(tracker) == """
                {"user":"ann","name":"Ann Žagar","state":"active","online":true,"warnings":[],\
                "fix":{"latitude":46,"longitude":14.5,"timestamp":"2026-05-01T10:00:00.000Z",\
                "accuracy":5,"receivedAt":"2026-05-01T10:00:00.000Z"},\
                "since":"2026-05-01T10:00:01.000Z","version":3}
                """)
    }

    /// On a journey of 1111.514 m (GeographicLib), late and offline.
    private func traveller() throws -> Tracker {
        var tracker = joined()
        _ = tracker.receive(try fix(46, after: 0), from: DeviceID(rawValue: 1), at: start, rules)
        let lake = try #require(Coordinate(latitude: 46.01, longitude: 14.5))
        _ = try tracker.startJourney(
            to: Destination(coordinate: lake, name: "the \"lake\""), eta: start + .seconds(90),
            with: [GroupID(rawValue: 1)], at: start)
        for second in [60, 91] {
            _ = tracker.advance(
                to: start + .seconds(second), listeningSince: start - .seconds(1), rules)
        }
        return tracker
    }

    @Test func `A traveller has a journey and warnings`() throws {
        #expect(
            try payload(traveller()) == """
                {"user":"ann","name":"Ann Žagar","state":"routing","online":false,\
                "warnings":["offline","late"],\
                "fix":{"latitude":46,"longitude":14.5,"timestamp":"2026-05-01T10:00:00.000Z",\
                "accuracy":5,"receivedAt":"2026-05-01T10:00:00.000Z"},\
                "journey":{"destination":{"latitude":46.01,"longitude":14.5,\
                "name":"the \\"lake\\"","radius":50},"eta":"2026-05-01T10:01:30.000Z",\
                "startedAt":"2026-05-01T10:00:00.000Z","remainingDistance":1112},\
                "since":"2026-05-01T10:00:00.000Z","version":5}
                """)
    }

    @Test func `Other groups see neither the journey nor its warnings`() throws {
        var tracker = try traveller()
        _ = tracker.join(GroupID(rawValue: 2), at: start + .seconds(100))
        _ = try tracker.startSharing(with: [GroupID(rawValue: 2)], at: start + .seconds(100))
        let session = try #require(tracker.session(in: GroupID(rawValue: 2)))
        let member = MemberState(
            user: .ann, name: "Ann", tracker: tracker, session: session, rules: rules)
        #expect(
            member.payload.text == """
                {"user":"ann","name":"Ann","state":"active","online":false,"warnings":[],\
                "fix":{"latitude":46,"longitude":14.5,"timestamp":"2026-05-01T10:00:00.000Z",\
                "accuracy":5,"receivedAt":"2026-05-01T10:00:00.000Z"},\
                "since":"2026-05-01T10:01:40.000Z","version":2}
                """)
    }

    @Test func `A member who stopped sharing keeps the last shared position`() throws {
        var tracker = joined()
        let device = DeviceID(rawValue: 1)
        _ = tracker.receive(try fix(46, after: 0), from: device, at: start, rules)
        _ = try tracker.startSharing(with: [GroupID(rawValue: 1)], at: start + .seconds(1))
        _ = try tracker.stopSharing(with: [GroupID(rawValue: 1)], at: start + .seconds(2))
        let before = try payload(tracker)
        #expect(before.contains(#""state":"inactive""#))
        #expect(before.contains(#""fix":{"latitude":46,"#))
        _ = tracker.receive(try fix(47, after: 3), from: device, at: start + .seconds(3), rules)
        #expect(try payload(tracker) == before)
    }

    @Test func `A journey without a position has no remaining distance`() throws {
        var tracker = joined()
        let lake = try #require(Coordinate(latitude: 46.01, longitude: 14.5))
        _ = try tracker.startJourney(
            to: Destination(coordinate: lake, radius: 120.5), eta: start + .seconds(90),
            with: [GroupID(rawValue: 1)], at: start)
        #expect(
            try payload(tracker) == """
                {"user":"ann","name":"Ann Žagar","state":"routing","online":false,"warnings":[],\
                "fix":null,"journey":{"destination":{"latitude":46.01,"longitude":14.5,\
                "radius":120.5},"eta":"2026-05-01T10:01:30.000Z",\
                "startedAt":"2026-05-01T10:00:00.000Z"},\
                "since":"2026-05-01T10:00:00.000Z","version":2}
                """)
    }
}
