import TestSupport
import Testing

/// The scenarios requested of Kith: positions and routes in a group, and calls for help.
@Suite(.timeLimit(.minutes(2)))
struct LocationTrackingTests {
    // MARK: Positions

    @Test func `Members see others' live positions, and the last positions of offline members`()
        async throws
    {
        try await withFamily { family in
            let installation = family.installation
            let group = family.group
            let known = try await family.members(for: "ann")
            let shown = known.contains {
                $0["user"] == "ben" && $0["online"] == true && $0["fix"].isFix(at: 2000)
            }
            #expect(shown, "Ben is online, at his last position")
            let view = try await installation.listen(
                as: .device("ann"), to: "kith/groups/\(group)/members/+")
            try await installation.publish(Topic.fix("ben"), fix(at: 2100))
            try await view.hears("Ben on his way", on: Topic.member(group, "ben")) {
                $0["fix"].isFix(at: 2100)
            }
            let cleo = try await view.hears("Cleo offline", on: Topic.member(group, "cleo")) {
                $0["online"] == false
            }
            #expect(cleo.json["fix"].isFix(at: 3000))
            let later = try await family.members(for: "ann")
            #expect(later.contains(cleo.json))
        }
    }

    @Test func `Sharing shows a member's position and state to the group`() async throws {
        try await withFamily { family in
            try await family.share()
        }
    }

    @Test
    func `Positions sent after sharing stopped reach no member, the last shared position remains`()
        async throws
    {
        try await withFamily { family in
            let installation = family.installation
            let group = family.group
            try await family.share()
            try await installation.done("ann", "sharing.stop", #"{"groups":["\#(group)"]}"#)
            try await family.move(to: 900, age: 0)

            // Ben's next message has reached the group, with none of Ann's before it.
            try await installation.publish(Topic.fix("ben"), fix(at: 2200))
            try await family.view.hears("Ben", on: Topic.member(group, "ben")) {
                $0["fix"].isFix(at: 2200)
            }
            #expect(!family.view.heard.contains { $0.json["fix"].isFix(at: 900) })
            let late = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(group)/#")
            #expect(!late.heard.contains { $0.json["fix"].isFix(at: 900) })

            try await family.sees("inactive", at: 100)
            let topic = family.topic
            let state = try await installation.listen(as: .device("ben"), to: topic)
                .hears("the last state", on: topic)
            #expect(state.isRetained)
            #expect(state.json["fix"].isFix(at: 100))
            #expect(state.json["fix"]["timestamp"].text != nil)
            let members = try await family.members(for: "ben")
            #expect(members.contains(state.json))
        }
    }

    // MARK: Journeys

    @Test func `A journey's start is reported to the group, which sees the route from there on`()
        async throws
    {
        try await withFamily { family in
            try await family.travel()
            try await family.isNotified("journey-started")
            try await family.seesRoute(at: [0, 300, 600])
        }
    }

    @Test func `An arrival ends the journey, is reported, and withdraws the route`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            // In the first tenth of the planned time no one has arrived yet.
            try await family.extendJourney()
            for (metres, age) in [(4970.0, -0.5), (4975, -1), (4980, -1.5)] {
                try await family.move(to: metres, age: age)
            }
            try await family.seesNoJourney(at: 4980)
            try await family.isNotified("journey-arrived")
        }
    }

    @Test func `A stopped journey is reported, and its route withdrawn`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            try await family.installation.done("ann", "journey.stop")
            try await family.seesNoJourney(at: 600)
            try await family.isNotified("journey-stopped")
        }
    }

    @Test func `A traveller who goes offline is reported to the group`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            await family.phone.kill()
            try await family.isNotified("offline")
        }
    }

    @Test func `A traveller who is late is reported to the group`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            try await family.extendJourney()
            try await family.isNotified("late")
        }
    }

    @Test func `A traveller who stays in one place is reported to the group`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            for age in [82.0, 60, 38, 16] { try await family.move(to: 700, age: age) }
            try await family.isNotified("stuck")
        }
    }

    // MARK: Calls for help

    @Test func `An SOS shows position and route to the group, although nothing was shared`()
        async throws
    {
        try await withFamily { family in
            try await family.callForHelp(at: 400, age: 0)
            try await family.isNotified("sos")
            try await family.view.hears(
                "an alert here", on: Topic.alerts(family.group), since: family.seen
            ) {
                $0["kind"] == "sos" && $0["fix"].isFix(at: 400)
            }
            try await family.move(to: 500, age: -2)
            try await family.seesRoute(at: [400, 500])
        }
    }

    @Test func `An SOS during a journey shows the journey's route`() async throws {
        try await withFamily { family in
            try await family.travel()
            family.markTheTime()
            try await family.installation.done("ann", "sos.trigger")
            try await family.sees("sos", at: 600)
            try await family.isNotified("sos")
            try await family.seesRoute(at: [0, 300, 600])
        }
    }

    @Test func `The end of an SOS is reported, and its route remains`() async throws {
        try await withFamily { family in
            try await family.callForHelp(at: 0, age: 110)
            family.markTheTime()
            try await family.seesRoute(at: [0])
            try await family.installation.done("ann", "sos.stop")
            try await family.sees("active", at: 0)
            try await family.isNotified("sos-stopped")
            try await family.seesRoute(at: [0])
        }
    }

    @Test func `A member who falls silent during an SOS is reported, and also when back`()
        async throws
    {
        try await withFamily { family in
            try await family.callForHelp(at: 0, age: 110)
            family.markTheTime()
            await family.phone.kill()
            try await family.isNotified("offline")
            _ = try await family.installation.phone(of: "ann")
            try await family.isNotified("online")
        }
    }
}

/// Runs `body` with a group of Ann, who shares nothing yet, Ben, who is online, and Cleo, who is
/// not; both share.
private func withFamily(_ body: (Family) async throws -> Void) async throws {
    // Short enough to wait for, with fixes whose timestamps are in the past.
    let periods = ["KITH_TRACKING_OFFLINE_AFTER": "1", "KITH_TRACKING_STUCK_AFTER": "60"]
    try await withInstallation(periods) { installation in
        try await body(Family(installation))
    }
}

/// Ann in her group, as Ben sees her.
private final class Family {
    let installation: Installation
    let group: String
    let phone: Listener
    /// What Ben has received of the group, from the beginning.
    let view: Listener
    /// How much of that does not count as news.
    private(set) var seen = 0

    init(_ installation: Installation) async throws {
        self.installation = installation
        group = try await installation.family("ann", "ben", "cleo")
        let token = try await installation.kith("user", "token", "ann", "phone")
        #expect(token.wholeMatch(of: /ann\.phone\.[A-Za-z0-9_-]{43}/) != nil)
        try await installation.start()
        phone = try await installation.phone(of: "ann")
        _ = try await installation.phone(of: "ben")
        view = try await installation.listen(as: .device("ben"), to: "kith/groups/\(group)/#")
        for (user, metres) in [("cleo", 3000.0), ("ben", 2000.0)] {
            try await installation.done(user, "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix(user), fix(at: metres))
        }
        // Requests do not wait behind fixes.
        try await view.hears("Ben at home", on: Topic.member(group, "ben")) {
            $0["fix"].isFix(at: 2000)
        }
        markTheTime()
    }

    var topic: String { Topic.member(group, "ann") }

    /// From now on only what Ben receives later counts.
    func markTheTime() { seen = view.count }

    func members(for user: String) async throws -> [JSON] {
        try await installation.done(user, "members.get", #"{"group":"\#(group)"}"#)["members"]
            .elements
    }

    // MARK: What Ann does

    func move(to metres: Double, age: Double) async throws {
        try await installation.publish(Topic.fix("ann"), fix(at: metres, age: age))
    }

    func share() async throws {
        try await installation.done("ann", "sharing.start", #"{"groups":["\#(group)"]}"#)
        try await move(to: 100, age: 108)
        try await sees("active", at: 100)
    }

    /// Starts a journey, and goes part of the way.
    func travel() async throws {
        try await installation.done(
            "ann", "journey.start",
            """
            {"groups":["\(group)"],"eta":"\(time(in: 3600))",
             "destination":{"latitude":\(Place.latitude(5000)),"longitude":\(Place.longitude),
                            "name":"the lake"}}
            """)
        for (metres, age) in [(0.0, 108.0), (300, 106), (600, 104)] {
            try await move(to: metres, age: age)
        }
        try await sees("routing", at: 600)
    }

    /// Now the journey is to end in a few seconds.
    func extendJourney() async throws {
        try await installation.done(
            "ann", "journey.start", #"{"extend":true,"eta":"\#(time(in: 8))"}"#)
    }

    func callForHelp(at metres: Double, age: Double) async throws {
        try await installation.done(
            "ann", "sos.trigger", #"{"fix":\#(fix(at: metres, age: age))}"#)
        try await sees("sos", at: metres)
    }

    // MARK: What Ben sees

    func sees(_ state: String, at metres: Double) async throws {
        try await view.hears("\(state) at \(metres) m", on: topic, since: seen) {
            $0["state"].text == state && $0["fix"].isFix(at: metres)
        }
    }

    func isNotified(_ kind: String) async throws {
        let alert = try await view.hears(kind, on: Topic.alerts(group), since: seen) {
            $0["kind"].text == kind
        }
        #expect(alert.json["user"] == "ann")
        #expect(alert.json["text"].text?.contains("Ann") == true)
    }

    func seesNoJourney(at metres: Double) async throws {
        try await view.hears("no journey", on: topic, since: seen) {
            $0["state"] == "active" && $0["journey"] == .null
        }
        let reply = try await installation.ask("ann", "journey.stop")
        #expect(reply["problem"]["type"] == "urn:kith:problem:not-on-a-journey")
        _ = try await eventually("no path") {
            view.latest[topic + "/path/1"]?.payload.isEmpty == true ? true : nil
        }
        #expect(try await route() == [])
        try await sees("active", at: metres)
    }

    /// Checks the route live on the topic, retained for later subscribers, and on request: the same
    /// everywhere.
    func seesRoute(at metres: [Double]) async throws {
        let segment = topic + "/path/1"
        let expected = metres.map { Place.latitude($0) }
        let live = try await view.hears("a route of \(metres)", on: segment) {
            $0["points"].elements.map { $0.elements[1].number } == expected
        }
        let late = try await installation.listen(as: .device("ben"), to: topic + "/path/#")
        #expect(late.latest[segment]?.json["points"] == live.json["points"])
        #expect(try await route() == expected)
    }

    /// The latitudes in the answer to `path.get`.
    private func route() async throws -> [Double] {
        let answer = try await installation.done(
            "ben", "path.get", #"{"group":"\#(group)","user":"ann"}"#)
        let geometry = answer["path"]["geometry"]
        let positions = geometry["coordinates"].elements
        guard geometry["type"] == "Point" else {
            return positions.compactMap { $0.elements[1].number }
        }
        return positions[1].number.map { [$0] } ?? []
    }
}
