import Contract
import Gazetteer
import Testing
import Tracking

/// The largest message of each topic, as stated in the reference: its parts are as long as the
/// service accepts.
struct LargestMessageTests {
    private static let name = Name.named(String(repeating: "n", count: Name.maximumLength))
    private static let group = GroupID(rawValue: 1)
    private static let late = Timestamp(milliseconds: 253_402_300_799_999)
    private static let coordinate = Coordinate(
        latitudeE7: -891_234_567, longitudeE7: -1_791_234_567)

    /// Characters of eight bytes, the first of which is escaped in JSON.
    private static func words(_ count: Int) -> String {
        String(repeating: "\"\u{301}\u{301}\u{20D0}", count: count)
    }

    private static let title = words(DisplayName.maximumLength)

    private static func fix(at time: Timestamp = .now) throws -> Fix {
        Fix(
            coordinate: try #require(coordinate), takenAt: time, receivedAt: time,
            accuracy: 12_345_678.123456789, altitude: -11_999.123456789123,
            altitudeAccuracy: 12_345_678.123456789, heading: 359.12345678912345,
            speed: 11_199.123456789123, battery: 99.123456789123456,
            sequence: Receipts.numbers.upperBound)
    }

    /// A person on a journey, in an SOS, offline and late.
    private static func tracker(_ rules: Rules = Rules()) throws -> (Tracker, [Alert]) {
        var tracker = Tracker(user: UserID(rawValue: 7))
        var effects = tracker.join(group, at: .now)
        effects += tracker.receive(try fix(), from: DeviceID(rawValue: 1), at: .now, rules)
        let place = Destination(
            coordinate: try #require(Coordinate(latitudeE7: 891_234_567, longitudeE7: 1)),
            name: title, radius: 99_999.123456789123)
        effects += try tracker.startJourney(
            to: place, eta: .now + .seconds(90), with: [group], at: .now)
        effects += tracker.advance(
            to: .now + .seconds(3_000), listeningSince: .now - .seconds(1), rules)
        let calm = tracker
        effects += try tracker.triggerSOS(at: .now + .seconds(3_001), rules)
        let alerts = effects.compactMap { if case .alert(let alert, _) = $0 { alert } else { nil } }
        return (calm, alerts)
    }

    private static let responses = (0..<AlertResponse.maximumNamed).map { _ in
        AlertResponse(user: name, name: title, kind: .coming, at: .now)
    }

    /// - Parameter seenBy: how many have seen it.
    private static func message(
        _ alert: Alert, seenBy count: Int = 0, _ responses: [AlertResponse] = []
    ) -> AlertMessage {
        var message = AlertMessage(
            alert, group: .family, user: name, name: title,
            acknowledgedBy: Array(repeating: name, count: count), responses: responses,
            repetition: count, number: "+123456789012345")
        message.place = .near(title, kilometres: 1_000, .northwest)
        return message
    }

    private static func alert(seenBy count: Int, _ responses: [AlertResponse]) throws -> [UInt8] {
        let messages = try tracker().1.map { alert in
            message(alert, seenBy: count, responses).payload
        }
        return try #require(messages.max { $0.count < $1.count })
    }

    private static func member() throws -> [UInt8] {
        let (calm, _) = try tracker()
        var call = calm
        _ = try call.triggerSOS(at: .now + .seconds(3_001), Rules())
        let profile = Profile(
            phone: PhoneNumber("+123456789012345"), phoneShownTo: .groups,
            avatar: String(repeating: "a", count: 64))
        let payloads = try [calm, call].map { tracker in
            MemberState(
                user: name, name: title, tracker: tracker,
                session: try #require(tracker.session(in: group)), rules: Rules(),
                profile: profile, responses: responses
            ).payload
        }
        return try #require(payloads.max { $0.count < $1.count })
    }

    private static func notices() -> [[UInt8]] {
        let id = UUIDv7(at: late, random: (.max, .max))
        let groups = Array(repeating: GroupKey.family, count: GroupSelection.maximum)
        let news: [Notice.News] = [
            .removedFromGroup(.family, name: title, endsJourney: true),
            .observerAdded(.family, name: title, id, label: title),
            .invitedToGroup(id, name: title),
            .sharingReminder(since: late, groups: groups, friends: 500),
            .consentRequested(id, service: name, name: title),
            .reminder(
                id, place: .geofence(id), name: title, text: words(Reminder.longestText), at: late),
            .placeMissed(id, name: title, at: late, isKnown: false, isOwn: true),
        ]
        return news.map {
            Notice(id: id, $0, about: .init(user: name, name: title), by: name).payload
        }
    }

    private static func place() throws -> [UInt8] {
        func text(_ length: Int) -> String { words(length) }
        return Place(
            id: name, source: name, name: text(Place.longestName), kind: text(40),
            coordinate: try #require(coordinate), description: text(500), address: text(200),
            openingHours: text(255), phone: text(80), website: text(500),
            timeZone: String(repeating: "z", count: 64)
        ).payload
    }

    private static func share() throws -> [UInt8] {
        let journey = try #require(try tracker().0.journey)
        return SharedView(
            name: title, what: .position, until: late, fix: try fix(at: late), journey: journey,
            end: .arrived
        ).payload
    }

    private static func ownTracks() throws -> [[UInt8]] {
        let card = OwnTracksView.card(
            of: name, name: title, state: "sos", warnings: ["offline", "late", "stuck"])
        return try [card]
            + tracker().1.compactMap { alert in
                let message = message(alert)
                return OwnTracksView.transition(of: name, message, message.text)
            }
    }

    private static func path() throws -> [UInt8] {
        let point = Path.Point(coordinate: try #require(coordinate), takenAt: late)
        return PathSegment(
            segment: 100_000, mode: .journey,
            points: Array(repeating: point, count: Path.segmentLength)
        ).payload
    }

    private static func chat() -> [UInt8] {
        ChatMessage(
            id: UUIDv7(at: late, random: (.max, .max)), group: .family, kind: .message, at: late,
            from: .init(user: name, name: title),
            words: String(repeating: "\u{1F600}", count: ChatText.maximumLength)
        ).payload
    }

    /// With the numbers that a device may use, and a gap before each.
    private static func receipt() -> [UInt8] {
        let last = Receipts.numbers.upperBound
        let gaps = (0..<64).map { last - 2 * Int64($0)...last - 2 * Int64($0) }
        return Receipt.payload(storedThrough: last, beyond: gaps)
    }

    private func rounded(_ size: Int) -> Int {
        (size + TopicRow.step - 1) / TopicRow.step * TopicRow.step
    }

    private func check(_ kind: Topic.Kind, _ payloads: [[UInt8]]) throws {
        let row = try #require(TopicRow.all.first { $0.kind == kind })
        let size = payloads.map(\.count).max() ?? 0
        #expect(row.largest == rounded(size), "\(kind): \(size) bytes")
    }

    private func check(_ kind: Topic.Kind, _ payload: [UInt8]) throws {
        try check(kind, [payload])
    }

    @Test func `The longest texts used here are accepted`() throws {
        #expect(try DisplayName(Self.title).text == Self.title)
        #expect(Self.title.utf8.count == 512)
    }

    @Test func `The reference states the size of the largest message of each topic`() throws {
        try check(.parsed(.stored), Self.receipt())
        try check(.parsed(.member), Self.member())
        try check(.parsed(.path), Self.path())
        try check(.parsed(.alerts), Self.alert(seenBy: 301, Self.responses))
        try check(
            .parsed(.location),
            LocationMessage(user: Self.name, name: Self.title, fix: Self.fix()).payload)
        try check(.parsed(.notices), Self.notices())
        try check(
            .parsed(.ownTracksMember),
            OwnTracksView.location(
                of: Self.name, Self.fix(), state: "routing",
                warnings: ["offline", "late", "stuck", "silent"]))
        try check(.parsed(.ownTracksMemberDetail), Self.ownTracks())
        try check(.listed(.chat), Self.chat())
        try check(.listed(.share), Self.share())
        try check(
            .listed(.unread),
            UnreadMessage(notices: 1_000, alerts: 10_000, chat: 10_000).payload)
        try check(.listed(.place), Self.place())
    }

    @Test func `A first alert is as large as the gate assumes`() throws {
        let size = try Self.alert(seenBy: 0, []).count
        #expect(TopicRow.largestAlert == rounded(size), "\(size) bytes")
    }
}
