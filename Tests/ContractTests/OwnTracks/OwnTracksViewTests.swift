import Contract
import Testing
import Tracking

/// Messages to the apps, in the JSON types that they require.
struct OwnTracksViewTests {
    private func fix(_ edit: (inout Fix) -> Void = { _ in }) throws -> Fix {
        var fix = Fix(
            coordinate: try #require(
                Coordinate(latitudeE7: 460_569_465, longitudeE7: -145_057_515)),
            takenAt: Timestamp(milliseconds: 1_777_629_599_999), receivedAt: .now)
        edit(&fix)
        return fix
    }

    @Test func `A location has whole numbers and a label`() throws {
        let fix = try fix {
            $0.accuracy = 4.7
            $0.speed = 10
            $0.heading = 269.6
            $0.altitude = -0.4
            $0.battery = 70.5
        }
        #expect(
            OwnTracksView.location(of: .ann, fix, state: "active", warnings: []).text == """
                {"_type":"location","tid":"nn","lat":46.0569465,"lon":-14.5057515,\
                "tst":1777629599,"acc":5,"vel":36,"cog":270,"alt":0,"batt":71,\
                "state":"active","warnings":[]}
                """)
    }

    @Test func `Unknown values are omitted`() throws {
        #expect(
            OwnTracksView.location(
                of: .named("al"), try fix(), state: "routing", warnings: ["offline", "late"]
            ).text == """
                {"_type":"location","tid":"al","lat":46.0569465,"lon":-14.5057515,\
                "tst":1777629599,"state":"routing","warnings":["offline","late"]}
                """)
    }

    @Test(arguments: [
        ("active", [], "Ann"), ("sos", [], "Ann · SOS"), ("routing", ["late"], "Ann · late"),
        ("sos", ["offline", "silent"], "Ann · SOS · offline · silent"),
    ])
    func `A card shows an SOS and warnings but no other state`(
        _ state: String, _ warnings: [String], _ name: String
    ) {
        #expect(
            OwnTracksView.card(of: .ann, name: "Ann", state: state, warnings: warnings).text
                == #"{"_type":"card","name":"\#(name)","tid":"nn"}"#)
    }

    private func alert(withFix: Bool) throws -> AlertMessage {
        var tracker = Tracker(user: UserID(rawValue: 7))
        _ = tracker.join(GroupID(rawValue: 1), at: .now)
        if withFix {
            let fix = try fix { $0.accuracy = 4.7 }
            _ = tracker.receive(fix, from: DeviceID(rawValue: 1), at: .now, Rules())
        }
        var effects = try tracker.triggerSOS(at: .now + .milliseconds(999), Rules())
        effects.removeAll { if case .alert = $0 { false } else { true } }
        guard case .alert(let alert, _) = effects.first else {
            throw Problem(.malformed, "an SOS is an alert")
        }
        return AlertMessage(alert, group: .family, user: .ann, name: "Ann")
    }

    @Test func `An alert becomes a transition that enters a place named by its text`() throws {
        let called = try alert(withFix: true)
        #expect(
            OwnTracksView.transition(of: .ann, called, called.text)?.text == """
                {"_type":"transition","event":"enter",\
                "desc":"SOS: Ann has sent an SOS and needs help!","tid":"nn",\
                "tst":1777629600,"wtst":1777629600,"lat":46.0569465,"lon":-14.5057515,\
                "acc":5,"t":"c"}
                """)
        // The apps' schema requires a position, and 0/0 would be a real one.
        #expect(OwnTracksView.transition(of: .ann, try alert(withFix: false), "") == nil)
    }
}
