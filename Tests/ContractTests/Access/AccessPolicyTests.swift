public import Contract
import Testing

struct AccessPolicyTests {
    private let policy = AccessPolicy()

    @Test(arguments: [
        "kith/users/ann/devices/phone/fix", "kith/users/ann/devices/phone/replies",
        "kith/users/ann/devices/phone/replies/a/b/c", "kith/users/ann/groups",
        "owntracks/ann/phone", "owntracks/ann/Pixel7", "owntracks/ann/phone/event",
        "owntracks/ann/@bob", "owntracks/ann/@bob/info",
        "kith/groups/FamilyFamilyFamily_-09/members/ann/path/12",
        "kith/guests/a b/requests/account.login", "kith/system/metrics/fixes",
        "kith/bridge/marker",
        "$SYS/broker/publish/messages/dropped",
    ])
    func `A contract topic is matched`(topic: String) {
        #expect(policy.match(of: topic) != nil)
    }

    @Test(arguments: [
        "", "/", "kith", "kith/", "/kith/users/ann/groups", "kith/users/ann/groups/",
        "kith//users/ann/groups", "kith/users//groups", "kith/users/Ann/groups",
        "kith/users/a/groups", "kith/users/ann/devices/phone", "kith/users/ann/devices/Phone/fix",
        "kith/users/ann/devices/phone/fix/x", "kith/users/ann/devices/phone/requests",
        "kith/users/ann/devices/phone/requests/", "kith/users/ann/devices/phone/requests/a/b",
        "kith/groups/short", "kith/groups/FamilyFamilyFamily_-09x", "kith/groups/+/alerts",
        "kith/guests/a\u{1}/requests/x", "kith/guests//requests/x", "owntracks/ann",
        "owntracks/ann/phone/a/b", "owntracks/ann/@", "owntracks/ann/@Bob", "OwnTracks/ann/phone",
        "owntracks/ann/\u{212a}im", "Kith/users/ann/groups", "kith/unheard/of",
        "kith/users/ann/gro\u{fb01}", "$SYS/other", "$share/x/kith/users/ann/groups",
        "kith/users/ann/groups\u{301}", "kith/system/metrics/" + String(repeating: "r", count: 520),
        // Topics that carry no messages have no row.
        "kith/users/ann/devices/phone/steps", "kith/services/myheart/users", "kith/races/one",
        "kith/dispatch/incidents/one", "kith/places/One", "kith/places/one/more",
    ])
    func `Any other topic is not matched`(topic: String) {
        #expect(policy.match(of: topic) == nil)
    }

    @Test func `Another root moves Kith's topics but not OwnTracks'`() throws {
        let policy = AccessPolicy(TopicSpace(root: "city/kith"))
        #expect(policy.match(of: "city/kith/users/ann/groups") != nil)
        #expect(policy.match(of: "kith/users/ann/groups") == nil)
        #expect(policy.match(of: "city/users/ann/groups") == nil)
        #expect(policy.match(of: "owntracks/ann/phone") != nil)
        let ann = Principal.device(.phone, of: .ann)
        #expect(policy.maySubscribe(to: "city/kith/users/ann/+", ann, AccessFacts()))
        #expect(!policy.maySubscribe(to: "city/kith/+/ann/+", ann, AccessFacts()))
        #expect(!policy.maySubscribe(to: "kith/users/ann/+", ann, AccessFacts()))
    }

    @Test func `Only the operator may subscribe to the broker's own topics`() throws {
        let topic = "$SYS/broker/publish/messages/dropped"
        let place = try #require(policy.match(of: topic))
        let facts = AccessFacts()
        let (operators, ann) = (Principal.system(.operator), Principal.device(.phone, of: .ann))
        #expect(policy.mayReceive(place, operators, facts))
        for filter in [topic, "$SYS/#", "$SYS/broker/+", "$SYS/+/publish/#"] {
            #expect(policy.maySubscribe(to: filter, operators, facts), "\(filter)")
            for other in [ann, .system(.bridge), .system(.dispatch), .system(.metrics)] {
                #expect(!policy.maySubscribe(to: filter, other, facts), "\(filter)")
            }
        }
        #expect(!policy.mayReceive(place, ann, facts))
        for retained in [false, true] {
            #expect(!policy.mayPublish(place, retained: retained, operators, facts))
        }
        for filter in ["$SYS", "$SYS/other/#", "$share/x/$SYS/#", "$CONTROL/#", "+/broker/#"] {
            #expect(!policy.maySubscribe(to: filter, operators, facts), "\(filter)")
        }
    }

    @Test func `A location may be received by its owner and the friends it is shared with`() throws
    {
        let place = try #require(policy.match(of: "kith/users/ann/location"))
        let bob = Principal.device(.phone, of: .bob)
        #expect(policy.mayReceive(place, .device(.phone, of: .ann), AccessFacts()))
        #expect(!policy.mayReceive(place, bob, AccessFacts()))
        #expect(policy.mayReceive(place, bob, AccessFacts(friendsInSight: [.ann])))
        #expect(!policy.mayReceive(place, bob, AccessFacts(friendsInSight: [.bob])))
        let facts = AccessFacts(friendsInSight: [.ann])
        #expect(policy.maySubscribe(to: "kith/users/ann/location", bob, facts))
        #expect(!policy.maySubscribe(to: "kith/users/+/location", bob, facts))
        #expect(!policy.maySubscribe(to: "kith/users/ann/+", bob, facts))
    }

    @Test(arguments: [
        ("kith/users/ann/devices/phone/fix", AccessPolicy.Worth.nothing),
        ("kith/users/ann/devices/phone/status", .nothing), ("owntracks/ann/phone", .nothing),
        ("owntracks/ann/@bob", .copy), ("kith/users/ann/groups", .copy),
        ("kith/users/ann/notices", .word), ("kith/users/ann/devices/phone/replies", .word),
        ("kith/groups/\(GroupKey.family)", .copy), ("kith/groups/\(GroupKey.family)/chat", .copy),
        ("kith/groups/\(GroupKey.family)/members/ann", .copy),
        ("kith/groups/\(GroupKey.family)/members/ann/path/1", .copy),
        ("kith/groups/\(GroupKey.family)/alerts", .alert(.family)),
    ])
    func `A one-off message is worth more than a copy that can be sent again`(
        topic: String, worth: AccessPolicy.Worth
    ) throws {
        #expect(policy.worth(of: try #require(policy.match(of: topic))) == worth)
    }

    @Test func `An OwnTracks location is never retained, even if the app requests it`() throws {
        let phone = Principal.device(.phone, of: .ann)
        for topic in ["owntracks/ann/phone", "owntracks/ann/PHONE"] {
            let place = try #require(policy.match(of: topic))
            #expect(!policy.mayPublish(place, retained: true, phone, AccessFacts()))
            #expect(policy.forgivesRetaining(place))
        }
        for topic in ["owntracks/ann/phone/event", "kith/users/ann/devices/phone/fix"] {
            #expect(!policy.forgivesRetaining(try #require(policy.match(of: topic))))
        }
    }

    @Test func `An overlong filter is refused`() {
        let rest = String(repeating: "x", count: TopicSpace.maximumLength)
        for filter in ["#", "+/users", "kith/+/ann"] {
            #expect(policy.meansAllAreas(filter), "\(filter)")
            let long = "\(filter)/\(rest)"
            #expect(!policy.meansAllAreas(long))
            #expect(!policy.maySubscribe(to: long, .system(.bridge), AccessFacts()))
        }
    }

    @Test func `The groups that a filter names are found`() {
        let root = "kith/groups/\(GroupKey.family)"
        for filter in [root, root + "/#", root + "/+", root + "/members/+/path/+"] {
            #expect(policy.sources(in: filter).groups == [.family], "\(filter)")
        }
        for filter in ["#", "kith/users/ann/#", "kith/groups/+", "kith/groups/short"] {
            #expect(policy.sources(in: filter).groups == [], "\(filter)")
        }
    }
}

extension Name: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .named(text) }
}
