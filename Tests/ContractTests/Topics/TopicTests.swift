import Contract
import Testing

struct TopicTests {
    @Test(arguments: ["kith", "home/kith", "K.1_-", "städte/kith"])
    func `A valid root is accepted`(_ root: String) {
        #expect(TopicSpace(checking: root)?.root == root)
    }

    @Test(arguments: [
        "", "#", "+", "kith/#", "kith/+", "kith+", "$SYS", "$SYS/kith", "$share/x", "/kith",
        "kith/", "a//b", "a b", "kith\n", "a\u{0}", "owntracks", "owntracks/x", "1/2/3/4/5/6/7/8/9",
        String(repeating: "r", count: 65),
    ])
    func `An invalid root is rejected`(_ root: String) {
        #expect(TopicSpace(checking: root) == nil)
    }

    static let topics: [(Topic, String)] = [
        (.fix(.ann, device: .phone), "users/ann/devices/phone/fix"),
        (.status(.ann, device: .phone), "users/ann/devices/phone/status"),
        (
            .request(.ann, device: .phone, method: "group.create"),
            "users/ann/devices/phone/requests/group.create"
        ),
        (.replies(.ann, device: .phone, suffix: ""), "users/ann/devices/phone/replies"),
        (.replies(.ann, device: .phone, suffix: "/"), "users/ann/devices/phone/replies/"),
        (
            .replies(.ann, device: .phone, suffix: "/a/B//c"),
            "users/ann/devices/phone/replies/a/B//c"
        ),
        (.rejected(.ann, device: .phone), "users/ann/devices/phone/rejected"),
        (.stored(.ann, device: .phone), "users/ann/devices/phone/stored"),
        (.userGroups(.ann), "users/ann/groups"),
        (.notices(.ann), "users/ann/notices"),
        (.location(.ann), "users/ann/location"),
        (.group(.family), "groups/FamilyFamilyFamily_-09"),
        (.member(.family, .bob), "groups/FamilyFamilyFamily_-09/members/bob"),
        (
            .path(.family, .bob, segment: 1), "groups/FamilyFamilyFamily_-09/members/bob/path/1"
        ),
        (
            .path(.family, .bob, segment: 1563),
            "groups/FamilyFamilyFamily_-09/members/bob/path/1563"
        ),
        (.alerts(.family), "groups/FamilyFamilyFamily_-09/alerts"),
        (.chat(.family), "groups/FamilyFamilyFamily_-09/chat"),
        (.systemStatus, "system/status"), (.marker, "bridge/marker"),
        (.connections, "bridge/connections"),
        (.metric("turns"), "system/metrics/turns"),
    ]

    @Test(arguments: topics, ["kith", "kith/07", "a/b/c/d/e"])
    func `A topic is printed and parsed below the root`(
        _ topic: (Topic, String), root: String
    ) {
        let space = TopicSpace(root: root)
        #expect(space.string(topic.0) == "\(root)/\(topic.1)")
        #expect(space.parse("\(root)/\(topic.1)") == topic.0)
        #expect(TopicSpace(root: "other").parse("\(root)/\(topic.1)") == nil)
    }

    static let ownTracks: [(Topic, String)] = [
        (.ownTracks(.ann, device: .phone, suffix: ""), "owntracks/ann/phone"),
        (.ownTracks(.ann, device: .phone, suffix: "event"), "owntracks/ann/phone/event"),
        (.ownTracks(.ann, device: .phone, suffix: "cmd"), "owntracks/ann/phone/cmd"),
        (.ownTracksMember(viewer: .ann, .bob, suffix: ""), "owntracks/ann/@bob"),
        (.ownTracksMember(viewer: .ann, .bob, suffix: "info"), "owntracks/ann/@bob/info"),
    ]

    @Test(arguments: ownTracks, ["kith", "kith/07"])
    func `OwnTracks topics do not depend on the root`(_ topic: (Topic, String), root: String) {
        #expect(TopicSpace(root: root).string(topic.0) == topic.1)
        #expect(TopicSpace(root: root).parse(topic.1) == topic.0)
    }

    @Test(arguments: ["Phone", "PHONE", "phonE"])
    func `An OwnTracks device name may contain capitals`(_ device: String) {
        #expect(
            TopicSpace().parse("owntracks/ann/\(device)")
                == .ownTracks(.ann, device: .phone, suffix: ""))
    }

    @Test(arguments: [
        "", "/", "kith", "kith/", "/kith/users/ann/groups", "Kith/users/ann/groups",
        "kith2/users/ann/groups", "users/ann/groups", "kith//users/ann/groups",
        // A level too many or too few, or a foreign topic.
        "kith/users", "kith/users/ann", "kith/users/ann/", "kith/users/ann/groups/",
        "kith/users/ann/groups/x", "kith/users/ann/friends", "kith/users/ann/devices",
        "kith/users/ann/devices/phone", "kith/users/ann/devices/phone/",
        "kith/users/ann/devices/phone/fix/", "kith/users/ann/devices/phone/fix/1",
        "kith/users/ann/devices/phone/Fix", "kith/users/ann/devices/phone/requests",
        "kith/users/ann/devices/phone/requests/a/b", "kith/users/ann/devices/phone/requests/",
        "kith/users/ann/devices/phone/status/x",
        // Found by fuzzing: printed without the slash, they were others.
        "owntracks/ann/phone/", "owntracks/ann/@bob/",
        "kith/groups", "kith/groups/", "kith/system", "kith/system/", "kith/system/status/x",
        "kith/system/metrics", "kith/system/metrics/", "kith/system/metrics/a/b", "kith/runs/1",
        "kith/groups/FamilyFamilyFamily_-09/", "kith/groups/FamilyFamilyFamily_-09/members",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/1/2",
        "kith/groups/FamilyFamilyFamily_-09/chat/x", "kith/groups/FamilyFamilyFamily_-09/alerts/x",
        "kith/groups/FamilyFamilyFamily_-09/Members/bob",
        // Segments are counted from 1, in one way only.
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/0",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/-1",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/+1",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/01",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/1.0",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/",
        "kith/groups/FamilyFamilyFamily_-09/members/bob/path/9223372036854775808",
        // Invalid names.
        "kith/users//groups", "kith/users/a/groups", "kith/users/Ann/groups",
        "kith/users/+/groups", "kith/users/#", "kith/users/ann\u{0}/groups",
        "kith/users/abcdefghijklmnopqrstuvwxyz0123456/groups", "kith/users/@ann/groups",
        "kith/users/ann/devices/Phone/fix", "kith/users/ann/devices/+/fix",
        "kith/users/ann/devices//fix", "kith/groups/family", "kith/groups/+/alerts",
        "kith/groups/FamilyFamilyFamily_-0+",
        "kith/groups/FamilyFamilyFamily_-09/members/Bob",
        "kith/groups/FamilyFamilyFamily_-09/members/+",
        // A topic filter must not come back as a reply topic.
        "kith/users/ann/devices/phone/replies/+", "kith/users/ann/devices/phone/replies/#",
        "kith/users/ann/devices/phone/replies/a/b+/c",
        "kith/users/ann/devices/phone/replies/+\u{301}",
        "kith/users/ann/devices/phone/replies/a#\u{301}/b",
        "kith/users/ann/devices/phone/replies/a\u{0}",
        "kith/users/ann/devices/phone/replies\u{301}/a",
        "kith/users/ann/devices/phone/repliesx",
        // OwnTracks.
        "owntracks", "owntracks/", "owntracks/ann", "owntracks/ann/", "owntracks/Ann/phone",
        "owntracks/ann/p", "owntracks/ann/my phone", "owntracks/ann/phone/event/x",
        "owntracks/ann/@", "owntracks/ann/@b", "owntracks/ann/@Bob", "owntracks/ann/@@bob",
        "owntracks/@ann/phone", "OwnTracks/ann/phone", "owntracks//phone", "owntracks/+/+",
        "owntracks/ann/phöne", "owntracks/ann/\u{212A}ith", "kith/owntracks/ann/phone",
    ])
    func `An invalid topic is rejected`(_ text: String) {
        #expect(TopicSpace().parse(text) == nil)
    }

    @Test func `A topic has at most 512 bytes`() {
        let start = "kith/users/ann/devices/phone/replies/"
        let longest = start + String(repeating: "x", count: 512 - start.utf8.count)
        #expect(TopicSpace().parse(longest) != nil)
        #expect(TopicSpace().parse(longest + "x") == nil)
        let wide = start + String(repeating: "é", count: 237)
        #expect(wide.utf8.count == 511)
        #expect(TopicSpace().parse(wide) != nil)
        #expect(TopicSpace().parse(wide + "é") == nil)
        #expect(TopicSpace().parse(String(repeating: "/", count: 65_535)) == nil)
    }

    @Test(arguments: [
        ("kith/users/ann/devices/phone/fix", true),
        ("kith/users/ann/devices/phone/no/such/thing", true),
        ("kith/users/ann/devices/phone", true),
        ("kith/users/ann/devices/phone/requests/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p", true),
        ("owntracks/ann/Phone/a/b/c/d", true),
        ("owntracks/ann/phone", true),
        ("kith/users/ann/devices/Phone/fix", false),
        ("kith/users/ann/devices", false),
        ("kith/users/ann/groups/phone", false),
        ("kith/groups/ann/devices/phone", false),
        ("other/users/ann/devices/phone/fix", false),
        ("owntracks/ann", false),
        ("owntracks/ann/@bob", false),
        // The owner of an overlong topic is also notified.
        ("kith/users/ann/devices/phone/" + String(repeating: "x", count: 512), true),
        // Compared byte by byte: sorting the marks of one level would take seconds.
        (
            "kith/users" + String(repeating: "\u{345}\u{334}", count: 8_000) + "/ann/devices/phone",
            false
        ),
        ("", false),
    ])
    func `The device is found even in an invalid topic`(_ text: String, isTold: Bool) {
        let device = TopicSpace().device(in: text)
        #expect(device.map { $0 == (.ann, .phone) } == (isTold ? true : nil))
    }
}
