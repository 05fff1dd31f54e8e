import Contract
import Testing
import Tracking

/// Notices to an account's owner.
struct AccountNoticeTests {
    private static let news: [(news: Notice.News, text: String)] = [
        (.newLogin(device: "spy"), #""kind":"new-login","at":"#),
        (.loggedOut(device: "phone", .unused), #""device":"phone","why":"unused"}"#),
        (.loggedOut(device: "phone", .room), #""device":"phone","why":"room"}"#),
        (.passwordChanged, #""kind":"password-changed""#),
        (.passwordForgotten, #""kind":"password-forgotten""#),
        (.emailChanged, #""kind":"email-changed""#),
        (.secondFactor(isOn: true), #""kind":"second-factor-on""#),
        (.secondFactor(isOn: false), #""kind":"second-factor-off""#),
        (.channel(label: "Home", isAdded: true), #""kind":"channel-added""#),
        (.channel(label: "Home", isAdded: false), #""label":"Home"}"#),
        (.passkey(label: "Key", isAdded: true), #""kind":"passkey-added""#),
        (.passkey(label: "Key", isAdded: false), #""label":"Key"}"#),
    ]

    @Test(arguments: news.indices)
    func `An account notice describes the event and is read back from storage`(_ index: Int) {
        let (news, text) = AccountNoticeTests.news[index]
        let notice = Notice(id: UUIDv7(at: .now, random: (1, 2)), news)
        #expect(notice.payload.text.contains(text))
        #expect(Notice.News(filed: news.kind.filed, news.stored) == news)
    }

    @Test(arguments: [
        ("new-login", "{}"), ("new-login", #"{"device":"A"}"#),
        ("logged-out", #"{"device":"phone"}"#), ("passkey-added", "{}"),
        ("logged-out", #"{"device":"phone","why":"whim"}"#),
    ])
    func `A damaged account notice is rejected`(_ kind: String, _ stored: String) {
        #expect(Notice.News(filed: kind, stored.bytes) == nil)
    }
}
