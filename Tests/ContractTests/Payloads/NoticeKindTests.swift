import Contract
import Testing
import Tracking

/// Rules for every kind of notice, including future ones.
struct NoticeKindTests {
    private static let id = UUIDv7(at: .now, random: (1, 2))

    static let samples: [Notice.News] = [
        .addedToGroup(.family, name: "Fa\"mily"),
        .removedFromGroup(.work, name: "Work", endsJourney: true),
        .removedFromGroup(.work, name: "Work", endsJourney: false),
        .observerAdded(.family, name: "Family", id, label: "Home \"A\""),
        .observerEnded(.family, name: "Family", id, label: "Home"), .invitedToGroup(id, name: "F"),
        .friendAdded, .locationShared,
        .sharingReminder(since: .now, groups: [.family, .work], friends: 3),
        .sharingReminder(since: .now, groups: [], friends: 0), .sharingEnded(.family, name: "F"),
        .newLogin(device: "spy"), .clockWrong(device: "phone", ahead: nil),
        .clockWrong(device: "phone", ahead: .seconds(3600)),
        .clockWrong(device: "phone", ahead: .seconds(-200)),
        .clockWrong(device: "phone", ahead: .seconds(86_400 * 9)),
        .callOver, .loggedOut(device: "phone", .unused), .loggedOut(device: "phone", .room),
        .loggedOut(device: "phone", .left), .loggedOut(device: "phone", .unconfirmed),
        .passwordChanged, .passwordForgotten, .emailChanged, .secondFactor(isOn: true),
        .secondFactor(isOn: false), .passkey(label: "Key", isAdded: true),
        .passkey(label: "Key", isAdded: false),
        .channel(label: "Home", isAdded: true), .channel(label: "Home", isAdded: false),
        .channelLost(label: "Firefox"), .consentRequested(id, service: "weather", name: "Weather"),
        .numberClaimed,
        .serviceAdded(service: "weather", name: "Weather"),
        .serviceEnded(service: "weather", name: "Weather", company: "Co"), .vitalsEnded,
        .consentGiven(streams: true), .consentGiven(streams: false), .consentRefused,
        .consentRevoked,
        .areYouAllRight(until: .now + .seconds(60), reasons: []),
        .areYouAllRight(until: .now + .seconds(60), reasons: ["heartRate", "x"]), .questionOver,
        .helpCalled,
        .help(.acknowledged, by: "Control"), .help(.closed, by: nil), .help(.unanswered, by: nil),
        .help(.calledOff, by: nil), .vitalsSilent(since: .now), .vitalsBack,
        .monitoring(.began), .monitoring(.changed), .monitoring(.ended),
        .runCancelled(run: "city-run", name: "City"), .runChanged(run: "city-run", name: "City"),
        .runStarting(run: "city-run", name: "City", at: .now + .seconds(60)),
        .reminder(id, place: .geofence(id), name: "Home", text: "Bread", at: .now + .seconds(60)),
        .reminder(
            id, place: .place("city-run"), name: "Home", text: "Bread\n", at: .now + .seconds(60)),
        .placeCrossed(id, name: "School", .arrived, at: .now),
        .placeCrossed(id, name: "School", .left, at: .now),
        .placeMissed(id, name: "School", at: .now, isKnown: true, isOwn: true),
        .placeMissed(id, name: "School", at: .now, isKnown: false, isOwn: true),
        .placeMissed(id, name: "School", at: .now, isKnown: true, isOwn: false),
        .placeRule(id, place: "School", .asked), .placeRule(id, place: "School", .agreed),
        .placeRule(id, place: "School", .refused), .placeRule(id, place: "School", .ended),
        .placeChanged(
            .init(
                id, name: "New", was: "Old", metres: 120, radius: 150, radiusWas: 100,
                centreWas: Coordinate(latitude: 46.5, longitude: 14.5), rule: id)),
        .placeChanged(
            .init(
                id, name: "New", was: "Old", metres: 0, radius: 150, radiusWas: 100, centreWas: nil,
                rule: nil)),
        .nobodyLeft(but: true), .nobodyLeft(but: false), .helper(.coming, alert: id),
        .helper(.notComing, alert: id), .helper(.called, alert: id),
        .maintenance(
            from: .now, to: .now + .seconds(60), text: "Update", isLast: true, isLate: false,
            isMoved: false),
        .maintenance(
            from: .now, to: .now + .seconds(60), text: "Update", isLast: false, isLate: true,
            isMoved: true), .maintenanceCancelled(from: .now, to: .now + .seconds(60)),
        .dataDeleted(.all, from: .now, to: nil),
    ]

    @Test func `Every notice kind has a sample here and a unique name`() {
        let filed = NoticeKind.all.map(\.filed)
        #expect(Set(filed).count == filed.count)
        #expect(Set(NoticeKindTests.samples.map(\.kind.filed)) == Set(filed))
    }

    @Test(arguments: samples.indices)
    func `A stored notice is read back`(_ index: Int) {
        let news = NoticeKindTests.samples[index]
        #expect(Notice.News(filed: news.kind.filed, news.stored) == news)
        #expect(
            !Notice(id: NoticeKindTests.id, news).phrases(for: .ann).isEmpty)
    }

    @Test(arguments: [
        ("sharing-reminder", #"{"since":"2026-05-01T10:00:00Z","groups":[],"friends":"1"}"#),
        ("place-changed", #"{"geofence":"\#(id)","placeName":"a","was":"b","metres":"1"}"#),
        ("data-deleted", #"{"data":["all"]}"#), ("data-deleted", "{}"),
        ("vitals-silent", #"{"since":7}"#),
    ])
    func `A damaged notice is rejected`(_ filed: String, _ stored: String) {
        #expect(Notice.News(filed: filed, stored.bytes) == nil)
    }
}
