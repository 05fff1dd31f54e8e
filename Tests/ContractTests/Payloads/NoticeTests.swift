import Contract
import Testing
import Tracking

struct NoticeTests {
    private static let id = UUIDv7(at: .now, random: (1, 2))
    private let id = NoticeTests.id
    private var head: String { #"{"id":"\#(id)","kind":"# }

    @Test func `A notice states the event, the person affected and the actor`() {
        let notice = Notice(
            id: id, .addedToGroup(.family, name: "Family"), about: .init(user: .ann, name: "Ann"),
            by: .bob)
        #expect(
            notice.payload.text == head + """
                "added-to-group","at":"2026-05-01T10:00:00.000Z","user":"ann","userName":"Ann",\
                "by":"bob","group":"FamilyFamilyFamily_-09","name":"Family"}
                """)
    }

    @Test func `A notice of an operator's action names no actor`() {
        let notice = Notice(id: id, .removedFromGroup(.family, name: "Family", endsJourney: false))
        #expect(
            notice.payload.text == head + """
                "removed-from-group","at":"2026-05-01T10:00:00.000Z",\
                "group":"FamilyFamilyFamily_-09","name":"Family"}
                """)
    }

    @Test func `A notice about a friend has the friend's name`() {
        let notice = Notice(id: id, .friendAdded, about: .init(user: .ann, name: "Ann"))
        #expect(
            Notice.payload.bytes(of: (notice, isSeen: true)).text == head + """
                "friend-added","at":"2026-05-01T10:00:00.000Z","user":"ann","name":"Ann",\
                "seen":true}
                """)
    }

    @Test(
        arguments: [
            .addedToGroup(.family, name: "Fa\"mily"),
            .removedFromGroup(.work, name: "Work", endsJourney: true),
            .removedFromGroup(.work, name: "Work", endsJourney: false), .friendAdded,
            .observerAdded(.family, name: "Family", id, label: "Home \"A\""),
            .observerEnded(.family, name: "Family", id, label: "Home"), .locationShared,
            .sharingReminder(since: .now, groups: [.family, .work], friends: 3),
        ] as [Notice.News])
    func `A stored notice is read back`(_ news: Notice.News) {
        #expect(Notice.News(filed: news.kind.filed, news.stored) == news)
    }

    @Test(arguments: [
        ("added-to-group", "{}"), ("friend-removed", "{}"), ("friend-added", "{"),
        ("removed-from-group", #"{"group":"short","name":"x"}"#),
        ("observer-added", #"{"group":"FamilyFamilyFamily_-09","name":"x","label":"y"}"#),
        ("sharing-reminder", #"{"since":"soon","groups":[],"friends":1}"#),
    ]) func `A damaged notice is rejected`(_ kind: String, _ stored: String) {
        #expect(Notice.News(filed: kind, stored.bytes) == nil)
    }

    @Test func `An empty unread count clears the retained message`() {
        #expect(
            UnreadMessage(notices: 3, chat: 1).payload.text
                == #"{"notices":3,"alerts":0,"chat":1}"#)
        #expect(UnreadMessage(notices: 0).payload.isEmpty)
    }
}
