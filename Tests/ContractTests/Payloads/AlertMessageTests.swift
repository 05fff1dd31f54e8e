import Contract
import Gazetteer
import Testing
import Tracking

struct AlertMessageTests {
    /// Every alert that a tracker raises in one story, the last of each kind.
    private static func alerts(name: String?) throws -> [Alert.Kind: Alert] {
        let (start, rules, phone) = (Timestamp.now, Rules(), DeviceID(rawValue: 1))
        var tracker = Tracker(user: UserID(rawValue: 7))
        var effects = tracker.join(GroupID(rawValue: 1), at: start)
        func fix(_ latitudeE7: Int64, _ seconds: Int) throws -> Fix {
            Fix(
                coordinate: try #require(
                    Coordinate(latitudeE7: latitudeE7, longitudeE7: 145_000_000)),
                takenAt: start + .seconds(seconds), receivedAt: start + .seconds(seconds))
        }
        func receive(_ latitudeE7: Int64, _ seconds: Int) throws {
            effects += tracker.receive(
                try fix(latitudeE7, seconds), from: phone, at: start + .seconds(seconds), rules)
        }
        func pass(_ seconds: Int) {
            effects += tracker.advance(
                to: start + .seconds(seconds), listeningSince: start - .seconds(1), rules)
        }
        func travel(_ seconds: Int) throws {
            let lake = try #require(Coordinate(latitudeE7: 461_000_000, longitudeE7: 145_000_000))
            effects += try tracker.startJourney(
                to: Destination(coordinate: lake, name: name), eta: start + .seconds(seconds + 600),
                with: [GroupID(rawValue: 1)], at: start + .seconds(seconds))
        }
        effects += tracker.connect(phone, at: start)
        try travel(0)
        for second in stride(from: 10, through: 310, by: 20) { try receive(460_000_000, second) }
        for second in [315, 320] { try receive(460_100_000, second) }
        pass(620)
        effects += tracker.disconnect(phone, at: start + .seconds(620))
        pass(680)
        effects += tracker.hear(phone, at: start + .seconds(690))
        try receive(460_200_000, 700)
        effects += try tracker.stopJourney(at: start + .seconds(710))
        try travel(720)
        for second in [790, 795] { try receive(461_000_000, second) }
        effects += try tracker.triggerSOS(at: start + .seconds(800), rules)
        effects += try tracker.stopSOS(at: start + .seconds(810))
        var alerts: [Alert.Kind: Alert] = [:]
        for case .alert(let alert, _) in effects { alerts[alert.kind] = alert }
        return alerts
    }

    private func message(_ kind: Alert.Kind, to place: String? = "the lake") throws -> AlertMessage
    {
        let alert = try #require(try Self.alerts(name: place)[kind])
        return AlertMessage(alert, group: .family, user: .ann, name: "Ann")
    }

    @Test(arguments: [
        (
            Alert.Kind.journeyStarted,
            "Ann is on the way to the lake and expects to arrive by 10:22 UTC."
        ),
        (.journeyStopped, "Ann has stopped the journey to the lake."),
        (.journeyArrived, "Ann has arrived at the lake."),
        (
            .late,
            "Ann has not arrived at the lake by 10:10 UTC. The last position is 5 min old."
        ),
        (.stuck, "Ann has not moved for a while."),
        (.moving, "Ann is moving again."),
        (.offline, "Ann has gone offline. The last position is 6 min old."),
        (.online, "Ann is back online."),
        (
            .silent,
            "Ann is connected, but no position has been received for a while. "
                + "The last position is 5 min old."
        ),
        (.sos, "Ann has sent an SOS and needs help!"),
        (.sosStopped, "Ann has ended the SOS."),
    ])
    func `Each kind of alert has a sentence`(_ kind: Alert.Kind, text: String) throws {
        #expect(try message(kind).text == text)
    }

    @Test func `An unnamed destination is called the destination`() throws {
        #expect(
            try message(.journeyStarted, to: nil).text
                == "Ann is on the way to the destination and expects to arrive by 10:22 UTC.")
        #expect(
            try message(.journeyArrived, to: nil).text == "Ann has arrived at the destination.")
    }

    @Test func `Alert kinds have the contract's names`() {
        #expect(
            Alert.Kind.allCases.map(\.rawValue) == [
                "journey-started", "journey-stopped", "journey-arrived", "late", "stuck", "moving",
                "offline", "online", "silent", "sos", "sos-stopped", "sos-left", "in-need",
                "unanswered", "assisted", "vitals-silent", "vitals-back",
            ])
    }

    @Test func `The payload has every member of the contract`() throws {
        var message = try message(.late)
        let id = message.alert.id
        #expect(id.time == .now + .seconds(620))
        let start = """
            {"id":"\(id)","kind":"late","group":"FamilyFamilyFamily_-09","user":"ann",\
            "name":"Ann","at":"2026-05-01T10:10:20.000Z",\
            "fix":{"latitude":46.01,"longitude":14.5,"timestamp":"2026-05-01T10:05:20.000Z",\
            "receivedAt":"2026-05-01T10:05:20.000Z"},"fixAge":300,\
            "journey":{"destination":{"latitude":46.1,"longitude":14.5,"name":"the lake",\
            "radius":50},"eta":"2026-05-01T10:10:00.000Z"},\
            "text":"Ann has not arrived at the lake by 10:10 UTC. The last position is 5 min old.",
            """
        #expect(message.payload.text == start + #""acknowledgedBy":[]}"#)
        message.acknowledgedBy = [.bob, .ann]
        message.repetition = 3
        #expect(
            message.payload.text
                == start + #""acknowledgedBy":["bob","ann"],"repetition":3}"#)
    }

    @Test func `The place of the last position is named before its age`() throws {
        var message = try message(.late)
        message.place = .near("Salzburg", kilometres: 3, .northwest)
        #expect(
            message.text == """
                Ann has not arrived at the lake by 10:10 UTC. \
                Last seen: 3 km northwest of Salzburg. The last position is 5 min old.
                """)
        message.place = .inside("Salzburg")
        #expect(message.text.contains("Last seen: Salzburg."))
        var arrived = try self.message(.journeyArrived)
        arrived.place = .inside("Salzburg")
        #expect(arrived.text == "Ann has arrived at the lake.")
    }

    @Test func `An alert without a position has no fix`() throws {
        var tracker = Tracker(user: UserID(rawValue: 7))
        _ = tracker.join(GroupID(rawValue: 1), at: .now)
        guard case .alert(let alert, 0) = try tracker.triggerSOS(at: .now, Rules()).last else {
            Issue.record("an SOS is an alert")
            return
        }
        let message = AlertMessage(alert, group: .family, user: .ann, name: "Ann \"A\"")
        #expect(
            message.payload.text == """
                {"id":"\(alert.id)","kind":"sos","group":"FamilyFamilyFamily_-09","user":"ann",\
                "name":"Ann \\"A\\"","at":"2026-05-01T10:00:00.000Z",\
                "text":"Ann \\"A\\" has sent an SOS and needs help! No position is known.",\
                "acknowledgedBy":[]}
                """)
    }

    @Test(arguments: [
        (0, ""), (119, ""), (120, " The last position is 2 min old."),
        (7_199, " The last position is 119 min old."), (7_200, " The last position is 2 h old."),
        (172_800, " The last position is 2 days old."),
    ])
    func `An SOS states the age of its position`(_ age: Int, text: String) throws {
        let sos = try #require(try Self.alerts(name: nil)[.sos])
        let fix = try #require(sos.fix)
        let alert = Alert(
            id: sos.id, kind: .sos, group: sos.group, at: fix.takenAt + .seconds(age), fix: fix,
            destination: nil, eta: nil)
        let message = AlertMessage(alert, group: .family, user: .ann, name: "Ann")
        #expect(message.text == "Ann has sent an SOS and needs help!" + text)
        #expect(message.payload.text.contains("\"fixAge\":\(age),"))
    }

    @Test func `The alert for an account deleted in an SOS states only the deletion`() {
        let id = UUIDv7(at: .now, random: (1, 2))
        #expect(
            ErasureAlert(id: id, group: .family).payload.text == """
                {"id":"\(id)","kind":"sos-account-deleted","group":"FamilyFamilyFamily_-09",\
                "at":"2026-05-01T10:00:00.000Z",\
                "text":"The account of a user in an SOS has been deleted. No one has said that \
                they are safe.","acknowledgedBy":[]}
                """)
    }
}
