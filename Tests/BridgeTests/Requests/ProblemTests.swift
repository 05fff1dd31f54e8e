import Contract
import Testing

@testable import Bridge

/// Every method with every refusal, as a table. Alice and Bob are the Family, Alice and Carol are
/// at Work, Dave is in no group.
struct ProblemTests {
    struct Case: CustomTestStringConvertible {
        let given: String
        let method: String
        let payload: String
        let outcome: String

        init(_ method: String, _ payload: String, _ outcome: String, given: String = "") {
            self.given = given
            self.method = method
            self.payload = payload
            self.outcome = outcome
        }

        var testDescription: String { "\(method) \(payload) → \(outcome)" }
    }

    static let onAJourney = "10:00:00 alice travels to 1000 m by 11:00:00 with family"
    static let inSOS = "10:00:00 alice triggers SOS"

    /// Sends a request as Alice, in a new world.
    private func ask(_ test: Case) throws -> String {
        let world = try World.withNeighbours()
        try Script.play(in: world, test.given)
        return try world.outcome("alice", test.method, test.payload)
    }

    @Test(arguments: groups + membership)
    func `Group requests return the expected outcome`(_ test: Case) throws {
        #expect(try ask(test) == test.outcome)
    }

    @Test(arguments: sharing + journeys + emergencies)
    func `Tracking requests return the expected outcome`(_ test: Case) throws {
        #expect(try ask(test) == test.outcome)
    }

    @Test(arguments: paths + alerts + chats + envelopes)
    func `Other requests return the expected outcome`(_ test: Case) throws {
        #expect(try ask(test) == test.outcome)
    }

    static let chats = [
        Case("chat.send", #"{"group":"$family","text":"x"}"#, "ok"),
        Case("chat.send", "{}", "invalid: group is missing; text is missing"),
        Case("chat.send", #"{"group":"$family","text":7}"#, "invalid: text must be a string"),
        Case("chat.send", #"{"group":"$family","text":""}"#, "invalid: text must not be empty"),
        Case("chat.send", #"{"group":"$nowhere","text":"x"}"#, "unknown-group"),
        Case("chat.send", #"{"group":"$choir","text":"x"}"#, "not-a-member"),
        Case("chat.history", #"{"group":"$family","limit":100}"#, "ok"),
        Case(
            "chat.history", #"{"before":7,"limit":101}"#,
            "invalid: group is missing; before must be a string; "
                + "limit must be a whole number from 1 to 100"),
        Case("chat.history", #"{"group":"$nowhere"}"#, "unknown-group"),
        Case("chat.history", #"{"group":"$choir"}"#, "not-a-member"),
    ]

    static let groups = [
        Case("group.create", #"{"name":"Choir"}"#, "ok"),
        Case("group.create", "{}", "invalid: name is missing"),
        Case("group.create", "", "invalid: name is missing"),
        Case("group.create", #"{"name":null}"#, "invalid: name is missing"),
        Case("group.create", #"{"name":7}"#, "invalid: name must be a string"),
        Case("group.create", #"{"name":" "}"#, "invalid: name must not be empty"),
        Case(
            "group.create", #"{"name":"a\u0007b"}"#,
            "invalid: name must not contain control characters"),
        Case(
            "group.create", #"{"name":"\#(String(repeating: "a", count: 65))"}"#,
            "invalid: name must have at most 64 characters"),
        Case("group.rename", #"{"group":"$family","name":"Home"}"#, "ok"),
        Case("group.rename", #"{"group":"$family"}"#, "invalid: name is missing"),
        Case("group.rename", "{}", "invalid: group is missing; name is missing"),
        Case("group.rename", #"{"group":"$nowhere","name":"Home"}"#, "unknown-group"),
        Case("group.rename", #"{"group":"$choir","name":"Home"}"#, "not-a-member"),
        Case("group.list", "{}", "ok"),
        Case("group.leave", #"{"group":"$family"}"#, "ok"),
        Case("group.leave", "{}", "invalid: group is missing"),
        Case("group.leave", #"{"group":"family"}"#, "invalid: group is not a group id"),
        Case("group.leave", #"{"group":"$nowhere"}"#, "unknown-group"),
        Case("group.leave", #"{"group":"$choir"}"#, "not-a-member"),
    ]

    static let membership = [
        Case("group.add", #"{"group":"$family","user":"dave"}"#, "ok"),
        Case("group.add", #"{"group":"$family","email":"dave@example.org"}"#, "ok"),
        Case("group.add", #"{"group":"$family","email":"DAVE@Example.org"}"#, "ok"),
        Case(
            "group.add", #"{"user":"Dave"}"#,
            "invalid: group is missing; user \(notAName)"),
        Case("group.add", "{}", "invalid: group is missing; user is missing"),
        Case("group.add", #"{"group":"$family","user":"nobody"}"#, "ok"),
        Case("group.add", #"{"group":"$family","email":"nobody@example.org"}"#, "ok"),
        Case("group.add", #"{"group":"$family","user":"bob"}"#, "already-a-member"),
        Case("group.add", #"{"group":"$family","user":"alice"}"#, "already-a-member"),
        Case("group.add", #"{"group":"$choir","user":"dave"}"#, "not-a-member"),
        Case("group.add", #"{"group":"$nowhere","user":"dave"}"#, "unknown-group"),
        Case("group.remove", #"{"group":"$family","user":"bob"}"#, "ok"),
        Case("group.remove", #"{"group":"$family","user":"alice"}"#, "ok"),
        Case("group.remove", "{}", "invalid: group is missing; user is missing"),
        Case("group.remove", #"{"group":"$family","user":"carol"}"#, "not-a-member"),
        Case("group.remove", #"{"group":"$choir","user":"bob"}"#, "not-a-member"),
        Case("group.remove", #"{"group":"$nowhere","user":"bob"}"#, "unknown-group"),
        Case("members.get", #"{"group":"$family"}"#, "ok"),
        Case("members.get", "{}", "invalid: group is missing"),
        Case("members.get", #"{"group":"$choir"}"#, "not-a-member"),
        Case("members.get", #"{"group":"$nowhere"}"#, "unknown-group"),
        Case("device.list", "{}", "ok"),
    ]

    static let sharing =
        ["sharing.start", "sharing.stop"].flatMap { method in
            [
                Case(method, #"{"groups":"all"}"#, "ok"),
                Case(method, #"{"groups":["$family","$work","$family"]}"#, "ok"),
                Case(method, "{}", "invalid: groups is missing"),
                Case(
                    method, #"{"groups":[]}"#,
                    #"invalid: groups must be "all" or a list of group ids"#),
                Case(
                    method, #"{"groups":["$family","x"]}"#,
                    "invalid: groups[1] is not a group id"),
                Case(
                    method,
                    #"{"groups":[\#(Array(repeating: "0", count: 101).joined(separator: ","))]}"#,
                    "invalid: groups must have at most 100 ids"),
                Case(method, #"{"groups":["$family","$nowhere"]}"#, "unknown-group"),
                Case(method, #"{"groups":["$family","$choir"]}"#, "not-a-member"),
            ]
        } + [
            Case("sharing.stop", #"{"groups":"all"}"#, "already-in-sos", given: inSOS),
            Case("sharing.start", #"{"groups":"all"}"#, "ok", given: inSOS),
        ]

    static let place = #""destination":{"latitude":46.01,"longitude":14.5}"#

    static let journeys = [
        Case("journey.start", journey(), "ok"),
        Case(
            "journey.start", "{}",
            "invalid: groups is missing; eta is missing"),
        Case(
            "journey.start",
            #"{"groups":"some","destination":{"latitude":91,"radius":0},"eta":"tomorrow"}"#,
            #"invalid: groups must be "all" or a list of group ids; "#
                + "destination.latitude must be from -90 to 90; "
                + "destination.longitude is missing; "
                + "destination.radius must be from 1 to 100000; "
                + "eta must be an RFC 3339 time or epoch milliseconds"),
        Case(
            "journey.start", journey(eta: "2026-05-01T10:00:00Z"),
            "invalid: eta must be in the future"),
        Case(
            "journey.start", journey(eta: "2026-06-05T10:00:00Z"), "invalid: eta is too far away"),
        Case("journey.start", journey(groups: #"["$choir"]"#), "not-a-member"),
        Case("journey.start", journey(groups: #"["$nowhere"]"#), "unknown-group"),
        Case("journey.start", journey(), "already-on-a-journey", given: onAJourney),
        Case("journey.start", journey(), "already-in-sos", given: inSOS),
        Case(
            "journey.start", #"{"extend":true,"eta":"2026-05-01T12:00:00Z"}"#, "ok",
            given: onAJourney),
        Case(
            "journey.start", #"{"extend":true,"eta":"2026-05-01T12:00:00Z"}"#, "not-on-a-journey"),
        Case(
            "journey.start", #"{"extend":true,"eta":"2026-05-01T09:00:00Z"}"#,
            "invalid: eta must be in the future", given: onAJourney),
        Case(
            "journey.start", #"{"extend":1,"eta":"2026-05-01T12:00:00Z"}"#,
            "invalid: extend must be true"),
        Case("journey.stop", "{}", "ok", given: onAJourney),
        Case("journey.stop", "{}", "not-on-a-journey"),
        Case("journey.stop", "{}", "not-on-a-journey", given: inSOS),
    ]

    static func journey(
        groups: String = #"["$family"]"#, eta: String = "2026-05-01T11:00:00Z"
    ) -> String {
        #"{"groups":\#(groups),\#(place),"eta":"\#(eta)"}"#
    }

    static let emergencies = [
        Case("sos.trigger", "", "ok"),
        Case("sos.trigger", "", "already-in-sos", given: inSOS),
        Case("sos.trigger", #"{"fix":{"latitude":1}}"#, "ok"),
        Case("sos.stop", "", "ok", given: inSOS),
        Case("sos.stop", "", "not-in-sos"),
        Case("sos.stop", "", "not-in-sos", given: onAJourney),
    ]

    static let paths = [
        Case("path.get", #"{"group":"$family","user":"bob"}"#, "ok"),
        Case("path.get", #"{"group":"$family","user":"bob","format":"gpx","cursor":"0"}"#, "ok"),
        Case("path.get", "{}", "invalid: group is missing; user is missing"),
        Case(
            "path.get", #"{"format":"kml","cursor":"x"}"#,
            "invalid: group is missing; user is missing; format must be geojson or gpx; "
                + "cursor was not issued by this service"),
        Case(
            "path.get", #"{"group":"$family","user":"bob","format":"kml"}"#,
            "invalid: format must be geojson or gpx"),
        Case(
            "path.get", #"{"group":"$family","user":"bob","cursor":"1.2.3"}"#,
            "invalid: cursor belongs to a path that has ended; start again without it"),
        Case(
            "path.get", #"{"group":"$family","user":"bob","cursor":"-1"}"#,
            "invalid: cursor was not issued by this service"),
        Case("path.get", #"{"group":"$family","user":"carol"}"#, "not-a-member"),
        Case("path.get", #"{"group":"$choir","user":"bob"}"#, "not-a-member"),
        Case("path.get", #"{"group":"$nowhere","user":"bob"}"#, "unknown-group"),
    ]

    static let someUUID = "019682f0-1234-7000-8000-000000000000"

    static let alerts = [
        Case("alert.list", #"{"group":"$family","before":"\#(someUUID)","limit":1}"#, "ok"),
        Case("alert.list", "{}", "invalid: group is missing"),
        Case(
            "alert.list", #"{"group":"$family","before":"x","limit":101}"#,
            "invalid: before is not a UUID; limit must be a whole number from 1 to 100"),
        Case(
            "alert.list", #"{"group":"$family","limit":0}"#,
            "invalid: limit must be a whole number from 1 to 100"),
        Case("alert.list", #"{"group":"$choir"}"#, "not-a-member"),
        Case("alert.list", #"{"group":"$nowhere"}"#, "unknown-group"),
        Case("alert.acknowledge", #"{"alert":"\#(someUUID)"}"#, "unknown-alert"),
        Case("alert.acknowledge", #"{"alert":"1"}"#, "invalid: alert is not a UUID"),
        Case("alert.acknowledge", "{}", "invalid: alert is missing"),
    ]

    static let envelopes = [
        Case("group.destroy", "{}", "unknown-method"),
        Case("group", "{}", "unknown-method"),
        Case("group.list", "{", "malformed"),
        Case("group.list", "\u{FF}", "malformed"),
        Case("group.list", "[]", "invalid: payload must be an object"),
        Case("group.list", "7", "invalid: payload must be an object"),
        Case(
            "group.list", #"{"id":{}}"#,
            "invalid: id must be a string of at most 128 bytes or a number"),
        Case(
            "group.list", #"{"id":"\#(String(repeating: "x", count: 129))"}"#,
            "invalid: id must be a string of at most 128 bytes or a number"),
        Case("group.list", #"{"unknown":1}"#, "ok"),
    ]

    @Test(arguments: ["sharing.start", "sharing.stop"])
    func `A user without groups can neither share nor call for help`(_ method: String) throws {
        let world = try World.withNeighbours()
        #expect(try world.outcome("dave", method, #"{"groups":"all"}"#) == "not-a-member")
        #expect(try world.outcome("dave", "sos.trigger") == "not-a-member")
        #expect(try world.count("alerts") == 0)
    }

    @Test func `Refused requests change nothing`() throws {
        let cases = Self.groups + Self.membership + Self.sharing + Self.journeys + Self.emergencies
        for test in cases where test.outcome != "ok" {
            let world = try World.withNeighbours()
            try Script.play(in: world, test.given)
            try world.turn([world.status("alice", "online")])
            let (before, tables) = (world.retained, try world.tableCounts())
            try world.ask("alice", test.method, test.payload)
            #expect(world.retained == before, "\(test.testDescription)")
            let after = try world.tableCounts().filter { $0.key != "replies" }
            #expect(after == tables.filter { $0.key != "replies" }, "\(test.testDescription)")
        }
    }
}
