import Contract
import Testing
import Tracking

/// Messages from OwnTracks phones (by the apps' docs and code).
struct OwnTracksMessageTests {
    private func read(_ text: String) throws(Problem) -> OwnTracksMessage {
        try OwnTracksMessage(text.bytes, receivedAt: .now, FixLimits())
    }

    private func locations(_ text: String) throws -> [OwnTracksMessage.Location] {
        guard case .locations(let locations, let refused, _) = try read(text), refused.isEmpty
        else {
            Issue.record("no locations")
            return []
        }
        return locations
    }

    private func location(_ members: String) throws -> OwnTracksMessage.Location {
        try #require(
            try locations(
                #"{"_type":"location","lat":46.05,"lon":14.5,"tst":1777629590\#(members)}"#
            ).first)
    }

    /// The message's kind, in a word.
    private func kind(_ text: String) -> String {
        var words = ""
        let outcome = refusal { () throws(Problem) in
            switch try read(text) {
            case .locations(let locations, let refused, _):
                if locations.isEmpty, let refused = refused.first { throw refused }
                words =
                    "\(locations.count) locations" + refused.map { ", \($0.words)" }.joined()
            case .lastWill: words = "last will"
            case .waypoints(let waypoints): words = "\(waypoints.count) waypoints"
            case .transition(let transition): words = "\(transition.side.rawValue)"
            case .other: words = "other"
            }
        }
        return outcome == "accepted" ? words : outcome
    }

    @Test func `An Android location becomes a Fix in Kith's units`() throws {
        let location = try #require(
            try locations(
                """
                {"_type":"location","_id":"12ab34cd","BSSID":"aa:bb","SSID":"home","acc":12,
                 "alt":298,"batt":71,"bs":1,"cog":270,"conn":"w","created_at":1777629595,
                 "lat":46.0569465,"lon":14.5057515,"m":1,"t":"p","tid":"ph","tst":1777629590,
                 "vac":3,"vel":36,"inregions":["home"],"source":"fused"}
                """
            ).first)
        #expect(
            location.fix
                == Fix(
                    coordinate: try #require(
                        Coordinate(latitudeE7: 460_569_465, longitudeE7: 145_057_515)),
                    takenAt: Timestamp(milliseconds: 1_777_629_590_000), receivedAt: .now,
                    accuracy: 12, altitude: 298, altitudeAccuracy: 3, heading: 270, speed: 10,
                    battery: 71))
        #expect(!location.isManual)
        #expect(!location.isMarkedSOS)
    }

    @Test func `A position and a time suffice, and numbers may be strings`() throws {
        let fix = try #require(try location("").fix)
        #expect(fix.accuracy == nil)
        #expect(fix.speed == nil)
        let strings = try #require(
            try locations(
                #"{"_type":"location","lat":"46.05","lon":"14.5","tst":"1777629590","acc":"7"}"#
            )
            .first)
        #expect(strings.fix?.takenAt == fix.takenAt)
        #expect(strings.fix?.coordinate == fix.coordinate)
        #expect(strings.fix?.accuracy == 7)
    }

    @Test(arguments: [
        (0.0, 0.0), (36, 10), (1, 0.278), (50, 13.889), (130.5, 36.25),
    ])
    func `Kilometres per hour are converted to metres per second`(_ kmh: Double, _ speed: Double)
        throws
    {
        #expect(try location(#","vel":\#(kmh)"#).fix?.speed == speed)
    }

    /// Apps send a value that makes no sense to mean "unknown".
    @Test(arguments: [
        #","vel":-1"#, #","cog":-1"#, #","batt":-1"#, #","vac":-1"#,
        #","alt":1e9"#, #","batt":101"#, #","cog":361"#, #","vel":"fast""#, #","acc":null"#,
        #","vel":[1]"#, #","batt":"nan""#, #","batt":255"#, #","alt":65535"#,
        #","alt":-32768"#, #","alt":12607"#, #","vel":235.926"#,
    ])
    func `An optional value that makes no sense is omitted`(_ member: String) throws {
        let fix = try location(member).fix
        #expect(fix == (try location("")).fix)
    }

    @Test func `A heading of 360 becomes 0`() throws {
        #expect(try location(#","cog":360"#).fix?.heading == 0)
    }

    @Test(arguments: [
        (#","t":"u""#, true, false), (#","t":"p""#, false, false), (#","t":7"#, false, false),
        (#","poi":"SOS""#, false, true), (#","tag":"SOS""#, false, true),
        (#","poi":"sos""#, false, false), (#","t":"u","tag":"SOS""#, true, true),
    ])
    func `A manual report and an SOS mark are detected`(
        _ members: String, manual: Bool, marked: Bool
    ) throws {
        let location = try location(members)
        #expect(location.isManual == manual)
        #expect(location.isMarkedSOS == marked)
    }

    @Test(arguments: [
        ("", "other"),
        (#"{"_type":"lwt","tst":1777629590}"#, "last will"),
        (#"{"_type":"lwt"}"#, "last will"),
        (#"{"_type":"transition","event":"enter","tst":1,"wtst":1,"acc":5}"#, "inside"),
        (#"{"_type":"transition","event":"leave","tst":1,"wtst":1}"#, "outside"),
        (#"{"_type":"transition","event":"dances","tst":1,"wtst":1}"#, "other"),
        (
            #"{"_type":"waypoint","desc":"home","lat":46,"lon":14.5,"rad":100,"tst":1}"#,
            "1 waypoints"
        ),
        (#"{"_type":"waypoint","desc":"beacon","lat":46,"lon":14.5,"rad":0,"tst":1}"#, "other"),
        (#"{"_type":"waypoint","desc":"home","lat":91,"lon":14.5,"rad":100,"tst":1}"#, "other"),
        (#"{"_type":"waypoint","desc":"home","tst":1}"#, "other"),
        (#"{"_type":"waypoints","waypoints":[]}"#, "0 waypoints"),
        (#"{"_type":"waypoints"}"#, "other"),
        (#"{"_type":"status","iOS":{}}"#, "other"),
        (#"{"_type":"steps","steps":-1}"#, "other"),
        (#"{"_type":"card","name":"Ann"}"#, "other"),
        (#"{"_type":"cmd","action":"reportLocation"}"#, "other"),
        (#"{"_type":"somethingnew"}"#, "other"),
        (#"{"_type":7}"#, "other"),
        ("{}", "other"), ("5", "other"), ("null", "other"),
        (
            #"{"_type":"encrypted","data":"x"}"#,
            "invalid: _type is encrypted, which is not supported"
        ),
        ("{", "malformed"), ("hello", "malformed"),
    ])
    func `The type selects the kind, and unknown types are not errors`(
        _ text: String, _ expected: String
    ) {
        #expect(kind(text) == expected)
    }

    @Test(arguments: [
        ("{}", "lat is missing; lon is missing; tst is missing"),
        (
            #"{"lat":91,"lon":"far","tst":0}"#,
            "lat must be from -90 to 90; lon must be a number; tst must be from 1 to 253402300799"
        ),
        (#"{"lat":0,"lon":0,"tst":1777629590}"#, "lat and lon are exactly 0 with no accuracy"),
        (#"{"lat":46,"lon":14,"tst":1777629661}"#, "tst is more than 60 s in the future"),
        (
            #"{"lat":"nan","lon":"0x10z","tst":"1e999"}"#,
            "lat must be a number; lon must be a number; tst must be a number"
        ),
    ])
    func `An impossible location is refused`(_ members: String, _ errors: String) throws {
        let text = members.replacing("{", with: #"{"_type":"location","#).replacing(",}", with: "}")
        #expect(kind(text) == "invalid: \(errors)")
    }

    @Test func `A time may be up to 60 s in the future and 30 days in the past`() {
        func outcome(_ tst: Int64) -> String {
            kind(#"{"_type":"location","lat":46,"lon":14,"tst":\#(tst)}"#)
        }
        #expect(outcome(1_777_629_660) == "1 locations")
        #expect(outcome(1_777_629_600 - 30 * 86_400) == "1 locations")
        #expect(outcome(1_777_629_599 - 30 * 86_400) == "too-old")
    }

    @Test func `A location at 0/0 with an accuracy is accepted`() {
        #expect(
            kind(#"{"_type":"location","lat":0,"lon":0,"acc":5,"tst":1777629590}"#)
                == "1 locations")
    }

    @Test func `A buffered upload keeps its order, and invalid entries are reported`() throws {
        let good = #"{"_type":"location","lat":46,"lon":14,"tst":1777629590}"#
        let later = #"{"_type":"location","lat":46,"lon":14,"tst":1777629595}"#
        let bad = #"{"_type":"location","lat":46}"#
        #expect(
            try locations("[\(later),\(good)]").compactMap(\.fix?.takenAt.milliseconds) == [
                1_777_629_595_000, 1_777_629_590_000,
            ])
        #expect(kind("[]") == "0 locations")
        #expect(
            kind(#"[\#(good),{"_type":"lwt"},5,\#(bad),\#(later)]"#)
                == "2 locations, invalid: [3].lon is missing; [3].tst is missing")
        let thousand = Array(repeating: good, count: 1000)
        #expect(kind("[\(thousand.joined(separator: ","))]") == "1000 locations")
        #expect(kind("[\((thousand + [good]).joined(separator: ","))]") == "too-large")
    }
}
