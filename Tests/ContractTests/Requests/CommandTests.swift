import Contract
import Testing
import Tracking

/// The fields of each method, and its errors.
struct CommandTests {
    private func read(_ method: String, _ payload: String) -> String {
        var words = ""
        let outcome = refusal { () throws(Problem) in
            let request = try Request(payload.bytes)
            words = try Command(method: method, request, at: .now, FixLimits()).words
        }
        return outcome == "accepted" ? words : outcome
    }

    private static let family = "FamilyFamilyFamily_-09"
    private static let work = "WorkWorkWorkWorkWork00"
    private static let uuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

    @Test(arguments: [
        ("group.create", #"{"name":"  Family "}"#, "create Family"),
        ("group.rename", #"{"group":"\#(family)","name":"F"}"#, "rename \(family) to F"),
        ("group.add", #"{"group":"\#(family)","user":"bob"}"#, "add bob to \(family)"),
        ("group.add", #"{"group":"\#(family)","email":"b@x.org"}"#, "add <b@x.org> to \(family)"),
        (
            "group.add", #"{"group":"\#(family)","user":"bob","email":"b@x.org"}"#,
            "add bob to \(family)"
        ),
        ("group.remove", #"{"group":"\#(family)","user":"bob"}"#, "remove bob from \(family)"),
        ("group.leave", #"{"group":"\#(family)"}"#, "leave \(family)"),
        ("group.list", "", "list groups"),
        ("group.list", #"{"id":1,"x":2}"#, "list groups"),
        ("sharing.start", #"{"groups":"all"}"#, "share with all"),
        (
            "sharing.start", #"{"groups":["\#(work)","\#(family)","\#(work)"]}"#,
            "share with \(work), \(family)"
        ),
        ("sharing.stop", #"{"groups":["\#(family)"]}"#, "stop sharing with \(family)"),
        ("members.get", #"{"group":"\#(family)"}"#, "members of \(family)"),
        (
            "members.get", #"{"group":"\#(family)","cursor":"bob"}"#,
            "members of \(family) after bob"
        ),
        ("journey.stop", "", "stop the journey"),
        ("sos.trigger", "", "sos"),
        ("sos.stop", "{}", "stop sos"),
        (
            "path.get", #"{"group":"\#(family)","user":"ann"}"#,
            "path of ann in \(family) as geojson from 0"
        ),
        (
            "path.get",
            #"{"group":"\#(family)","user":"ann","format":"gpx","cursor":"3.17776.640"}"#,
            "path of ann in \(family) as gpx from 3.17776.640"
        ),
        ("alert.list", #"{"group":"\#(family)"}"#, "50 alerts of \(family)"),
        (
            "alert.list", #"{"group":"\#(family)","before":"\#(uuid)","limit":100}"#,
            "100 alerts of \(family) before \(uuid)"
        ),
        ("alert.acknowledge", #"{"alert":"\#(uuid)"}"#, "acknowledge \(uuid)"),
        (
            "alert.acknowledge", #"{"alert":"\#(uuid)","kind":"not-coming"}"#,
            "acknowledge \(uuid) not-coming"
        ),
        ("avatar.get", #"{"user":"bob"}"#, "picture of bob"),
        ("friend.add", #"{"user":"bob"}"#, "befriend bob"),
        ("friend.remove", #"{"user":"bob"}"#, "unfriend bob"),
        ("friend.list", "", "list friends"),
        ("friend.list", #"{"of":"sharers","cursor":"bob"}"#, "list sharers after bob"),
        ("friend.share", #"{"with":"all"}"#, "show all"),
        (
            "friend.share", #"{"with":["bob","eva","bob"],"fix":{"latitude":1,"longitude":2}}"#,
            "show bob, eva at 1.0, \(Timestamp.now.rfc3339)"
        ),
        (
            "friend.share",
            #"{"with":"all","fix":{"latitude":1,"longitude":2,"timestamp":"2026-05-01T10:00:00Z"}}"#,
            "show all at 1.0, 2026-05-01T10:00:00.000Z"
        ),
        ("friend.unshare", #"{"with":["bob"]}"#, "hide from bob"),
        ("location.off", "", "turn off"),
        ("location.off", #"{"store":false}"#, "turn off, store nothing"),
        ("location.off", #"{"store":true}"#, "turn off, store"),
        ("location.off", #"{"store":"no"}"#, "invalid: store must be true or false"),
        ("friend.nearby", #"{"radius":500}"#, "within 500.0 m"),
        ("friend.block", #"{"user":"bob"}"#, "block bob"),
        ("friend.unblock", #"{"user":"bob"}"#, "unblock bob"),
        ("sharing.list", "", "watchers from the beginning"),
        ("sharing.list", #"{"cursor":"f.bob"}"#, "watchers from f.bob"),
        ("sharing.list", #"{"cursor":"g.5.17"}"#, "watchers from g.5.17"),
        ("chat.send", #"{"group":"\#(family)","text":"Hi\n!"}"#, "say in \(family): Hi\n!"),
        ("chat.history", #"{"group":"\#(family)"}"#, "50 messages of \(family)"),
        (
            "chat.history", #"{"group":"\#(family)","before":"\#(uuid)","limit":1}"#,
            "1 messages of \(family) before \(uuid)"
        ),
        ("device.list", "", "list devices"),
        ("device.revoke", #"{"device":"old-phone"}"#, "revoke old-phone"),
        ("account.get", "", "account"),
        ("account.update", "", "update - - -"),
        (
            "account.update", #"{"email":"a@b.org","firstName":" Ann ","lastName":"B"}"#,
            "update a@b.org Ann B"
        ),
        ("account.password", #"{"old":"x","new":"a new one"}"#, "change the password"),
        ("account.delete", #"{"password":"x"}"#, "delete the account"),
        ("account.export", "", "export the account from the beginning"),
        ("account.export", #"{"cursor":"f.7.9"}"#, "export the account from f.7.9"),
        ("account.export", #"{"cursor":"c"}"#, "export the account from c"),
        ("account.export", #"{"cursor":"c.\#(uuid)"}"#, "export the account from c.\(uuid)"),
        ("account.logout", "", "log out"),
    ])
    func `A valid request becomes a command`(_ method: String, _ payload: String, _ words: String) {
        #expect(read(method, payload) == words)
    }

    @Test(arguments: [
        "", "group", "group.Create", "group.create ", "group.create/x", "sos", "nothing",
    ])
    func `An unknown method is reported`(_ method: String) {
        #expect(read(method, "{}") == "unknown-method")
    }

    @Test(arguments: [
        ("group.create", "{}", "name is missing"),
        ("group.create", #"{"name":" "}"#, "name must not be empty"),
        ("group.rename", "{}", "group is missing; name is missing"),
        (
            "group.rename", #"{"group":"x","name":7}"#,
            "group is not a group id; name must be a string"
        ),
        ("group.add", "{}", "group is missing; user is missing"),
        (
            "group.add", #"{"group":"x","user":"Bob"}"#,
            "group is not a group id; user \(notAName)"
        ),
        ("group.add", #"{"group":"\#(family)","email":7}"#, "email must be a string"),
        ("group.remove", "{}", "group is missing; user is missing"),
        ("group.leave", #"{"group":null}"#, "group is missing"),
        ("sharing.start", "{}", "groups is missing"),
        ("sharing.start", #"{"groups":[]}"#, "groups must be \"all\" or a list of group ids"),
        (
            "sharing.start", #"{"groups":"\#(family)"}"#,
            "groups must be \"all\" or a list of group ids"
        ),
        ("sharing.stop", #"{"groups":["\#(family)","x"]}"#, "groups[1] is not a group id"),
        ("sharing.stop", #"{"groups":[7]}"#, "groups[0] is not a group id"),
        ("path.get", "{}", "group is missing; user is missing"),
        (
            "path.get", #"{"group":"\#(family)","user":"ann","format":"kml","cursor":"x"}"#,
            "format must be geojson or gpx; cursor was not issued by this service"
        ),
        (
            "path.get", #"{"group":"\#(family)","user":"ann","cursor":"-1"}"#,
            "cursor was not issued by this service"
        ),
        (
            "path.get", #"{"group":"\#(family)","user":"ann","cursor":"400"}"#,
            "cursor was not issued by this service"
        ),
        ("path.get", #"{"group":"\#(family)","user":"ann","cursor":5}"#, "cursor must be a string"),
        (
            "alert.list", #"{"before":"x","limit":0}"#,
            "group is missing; before is not a UUID; limit must be a whole number from 1 to 100"
        ),
        (
            "alert.list", #"{"group":"\#(family)","limit":101}"#,
            "limit must be a whole number from 1 to 100"
        ),
        ("alert.acknowledge", "{}", "alert is missing"),
        ("alert.acknowledge", #"{"alert":"7"}"#, "alert is not a UUID"),
        (
            "alert.acknowledge", #"{"alert":"7","kind":"gone"}"#,
            "alert is not a UUID; kind must be seen, coming, called or not-coming"
        ),
        (
            "account.update",
            #"{"phone":"911","phoneShownTo":"all","language":"xx","avatar":"AAAA"}"#,
            "phone must be +, the country code and the number; phoneShownTo must be sos or groups; "
                + "language must be en, de, it, fr, es or ar; "
                + "avatar must be 64 × 64 pixels of 3 bytes in base64"
        ),
    ])
    func `All errors of a request are reported at once`(
        _ method: String, _ payload: String, _ errors: String
    ) {
        #expect(read(method, payload) == "invalid: \(errors)")
    }

    @Test func `A request can name at most a hundred groups`() {
        var random = SplitMix64(seed: 1)
        let keys = (0..<101).map { _ in "\"\(GroupKey(using: &random))\"" }
        func outcome(_ count: Int) -> String {
            read("sharing.start", #"{"groups":[\#(keys.prefix(count).joined(separator: ","))]}"#)
        }
        #expect(outcome(100).hasPrefix("share with "))
        #expect(outcome(101) == "invalid: groups must have at most 100 ids")
    }

    // MARK: Journeys and emergencies

    private let lake = #""destination":{"latitude":46.1,"longitude":14.5}"#

    @Test(arguments: [
        ("2026-05-01T10:30:00Z", "travel to 46.1 14.5 by 2026-05-01T10:30:00.000Z with all"),
        ("2026-05-01T10:00:00.001Z", "travel to 46.1 14.5 by 2026-05-01T10:00:00.001Z with all"),
        ("2026-05-01T10:00:00Z", "invalid: eta must be in the future"),
        ("2026-05-31T10:00:00Z", "travel to 46.1 14.5 by 2026-05-31T10:00:00.000Z with all"),
        ("2026-05-31T10:00:00.001Z", "invalid: eta is too far away"),
        ("soon", "invalid: eta must be an RFC 3339 time or epoch milliseconds"),
    ])
    func `An ETA must be within the next thirty days`(_ eta: String, _ words: String) {
        #expect(read("journey.start", #"{"groups":"all",\#(lake),"eta":"\#(eta)"}"#) == words)
    }

    @Test(arguments: [
        (
            #""latitude":46.1,"longitude":14.5,"name":" the lake ","radius":120"#,
            "46.1 14.5 the lake 120.0 m"
        ),
        (#""latitude":-90,"longitude":180,"radius":1"#, "-90.0 180.0 1.0 m"),
        (#""latitude":0,"longitude":0,"radius":100000"#, "0.0 0.0 100000.0 m"),
        (#""latitude":0,"longitude":0,"radius":null,"name":null"#, "0.0 0.0"),
    ])
    func `A destination may have a name and a radius`(_ members: String, _ words: String) {
        let payload = #"{"groups":"all","destination":{\#(members)},"eta":1777633200000}"#
        #expect(
            read("journey.start", payload)
                == "travel to \(words) by 2026-05-01T11:00:00.000Z with all")
    }

    @Test func `Journey errors are reported with their paths`() {
        #expect(
            read("journey.start", "{}")
                == "invalid: groups is missing; eta is missing")
        #expect(
            read(
                "journey.start",
                #"""
                {"groups":["x"],"eta":0,
                 "destination":{"latitude":91,"name":"a\u0000","radius":0.5}}
                """#) == """
                    invalid: groups[0] is not a group id; \
                    destination.latitude must be from -90 to 90; destination.longitude is missing; \
                    destination.name must not contain control characters; \
                    destination.radius must be from 1 to 100000; eta must be in the future
                    """)
        #expect(
            read("journey.start", #"{"groups":"all","eta":1777633200000,"destination":"home"}"#)
                == "invalid: destination must be an object")
    }

    @Test func `A journey without a destination is a check-in`() {
        for destination in ["", #","destination":null"#] {
            #expect(
                read("journey.start", #"{"groups":"all","eta":1777633200000\#(destination)}"#)
                    == "travel to nowhere by 2026-05-01T11:00:00.000Z with all")
        }
    }

    @Test func `An extension takes only an ETA`() {
        #expect(
            read("journey.start", #"{"extend":true,"eta":1777633200000}"#)
                == "extend to 2026-05-01T11:00:00.000Z")
        #expect(read("journey.start", #"{"extend":true}"#) == "invalid: eta is missing")
        #expect(
            read("journey.start", #"{"extend":true,"eta":0}"#)
                == "invalid: eta must be in the future")
        #expect(
            read("journey.start", #"{"extend":"yes","eta":1777633200000,"groups":"all",\#(lake)}"#)
                == "invalid: extend must be true")
        #expect(
            read("journey.start", #"{"extend":false,"eta":1777633200000,"groups":"all",\#(lake)}"#)
                == "travel to 46.1 14.5 by 2026-05-01T11:00:00.000Z with all")
    }

    /// A person in danger is not refused because of a number.
    @Test func `An invalid position does not stop an SOS`() {
        #expect(
            read(
                "sos.trigger",
                #"{"fix":{"latitude":46,"longitude":14,"timestamp":1777629600000}}"#)
                == "sos at 46.0")
        #expect(
            read("sos.trigger", #"{"fix":{"latitude":91,"timestamp":1777629600000}}"#) == """
                sos, refused invalid: fix.latitude must be from -90 to 90; \
                fix.longitude is missing
                """)
        #expect(
            read("sos.trigger", #"{"fix":{"latitude":46,"longitude":14,"timestamp":0}}"#)
                == "sos at 46.0, refused too-old")
        #expect(
            read("sos.trigger", #"{"fix":"here"}"#) == "sos, refused invalid: fix must be an object"
        )
        #expect(read("sos.trigger", #"{"fix":null}"#) == "sos")
    }
}
