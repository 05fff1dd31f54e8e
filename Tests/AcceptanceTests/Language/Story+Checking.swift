import TestJSON
import Testing

/// Steps about what I and the others see afterwards.
extension Story {
    /// - Returns: whether there is such a step.
    func check(_ step: String) async throws -> Bool {
        if let match = step.wholeMatch(of: /my state (?:is|should be)(?: updated to)? `(\w+)`/) {
            try await sees(match.1.lowercased())
            return true
        }
        let notification = /my group's members receive a notification indicating (.+)/
        if let match = step.wholeMatch(of: notification) {
            try await notified(String(match.1))
            return true
        }
        switch step {
        case "I should see the real-time location of online group members":
            try await seeBenMove()
        case "the last known location of offline group members":
            try await seeCleoOffline()
        case "my last known location should be updated":
            try await sees("active")
        case "the group's members should not see my location anymore":
            try await nothingNewIsSeen()
        case "my last known location should still be available":
            try await lastKnown(at: 100)
        case "my group's members can see the route I've been taken since activating routing mode":
            try await routeIsSeen(at: [0, 300, 600])
        case "my group's members can see the route I've been taken since triggering the SOS":
            try await move(to: 500)
            try await routeIsSeen(at: [400, 500])
        case "my group's members can still see where I have been":
            try await routeIsSeen(at: [0])
        case "the notification tells where I am":
            let place = try #require(place)
            try await ben.hears("an alert here", on: Topic.alerts(group), since: seen) {
                $0["kind"] == "sos" && $0["fix"].isFix(at: place)
            }
        case "the routing is stopped":
            try await ben.hears("no journey", on: myTopic, since: seen) {
                $0["state"] == "active" && $0["journey"] == .null
            }
            let reply = try await installation.ask("ann", "journey.stop")
            #expect(reply["problem"]["type"] == "urn:kith:problem:not-on-a-journey")
        case "the route discarded":
            let topic = myTopic + "/path/1"
            _ = try await eventually("no path") {
                try ben.latest[topic]?.payload.isEmpty == true ? true : nil
            }
            #expect(try await route(for: "ben") == [])
        default: return false
        }
        return true
    }

    private static let kinds = [
        "I've started a routing": "journey-started",
        "I have arrived at the destination": "journey-arrived",
        "I have stopped the routing": "journey-stopped",
        "I have gone offline": "offline",
        "I am back": "online",
        "I have not arrived by the estimated time": "late",
        "I have been stuck in the same position for a while": "stuck",
        "I need help": "sos",
        "I am no longer in danger": "sos-stopped",
    ]

    private func notified(_ event: String) async throws {
        let kind = try #require(Story.kinds[event], "no such event")
        let alert = try await ben.hears(kind, on: Topic.alerts(group), since: seen) {
            $0["kind"].text == kind
        }
        #expect(alert.json["user"] == "ann")
        #expect(alert.json["text"].text?.contains("Ann") == true)
    }

    // MARK: Positions

    private func seeBenMove() async throws {
        let ben = try #require(members.first { $0["user"] == "ben" })
        #expect(ben["online"] == true)
        #expect(ben["fix"].isFix(at: 2000))
        let mine = try await installation.listen(
            as: .device("ann"), to: "kith/groups/\(group)/members/+")
        try await installation.publish(Topic.fix("ben"), fix(at: 2100))
        try await mine.hears("Ben on his way", on: Topic.member(group, "ben")) {
            $0["fix"].isFix(at: 2100)
        }
    }

    private func seeCleoOffline() async throws {
        let mine = try await installation.listen(
            as: .device("ann"), to: "kith/groups/\(group)/members/+")
        let cleo = try await mine.hears("Cleo offline", on: Topic.member(group, "cleo")) {
            $0["online"] == false
        }
        #expect(cleo.json["fix"].isFix(at: 3000))
        let group = try await installation.done("ann", "members.get", #"{"group":"\#(group)"}"#)
        #expect(group["members"].elements.contains(cleo.json))
    }

    /// Checks that Ben's next message has reached the group, with none of mine before it.
    private func nothingNewIsSeen() async throws {
        try await installation.publish(Topic.fix("ben"), fix(at: 2200))
        try await ben.hears("Ben", on: Topic.member(group, "ben")) { $0["fix"].isFix(at: 2200) }
        #expect(try !ben.heard.contains { $0.json["fix"].isFix(at: 900) })
        let late = try await installation.listen(as: .device("ben"), to: "kith/groups/\(group)/#")
        #expect(!late.heard.contains { $0.json["fix"].isFix(at: 900) })
    }

    private func lastKnown(at metres: Double) async throws {
        let late = try await installation.listen(as: .device("ben"), to: myTopic)
        let state = try await late.hears("the last state", on: myTopic)
        #expect(state.isRetained)
        #expect(state.json["fix"].isFix(at: metres))
        #expect(state.json["fix"]["timestamp"].text != nil)
        let group = try await installation.done("ben", "members.get", #"{"group":"\#(group)"}"#)
        #expect(group["members"].elements.contains(state.json))
    }

    // MARK: Routes

    /// Checks the route live on the topic, retained for later subscribers, and on request: the same
    /// everywhere.
    private func routeIsSeen(at metres: [Double]) async throws {
        let topic = myTopic + "/path/1"
        let expected = metres.map { Place.latitude($0) }
        let live = try await ben.hears("a route of \(metres)", on: topic) {
            $0["points"].elements.map { $0.elements[1].number } == expected
        }
        let late = try await installation.listen(as: .device("ben"), to: myTopic + "/path/#")
        #expect(late.latest[topic]?.json["points"] == live.json["points"])
        #expect(try await route(for: "ben") == expected)
    }

    /// The latitudes in the answer to `path.get`.
    private func route(for user: String) async throws -> [Double] {
        let answer = try await installation.done(
            user, "path.get", #"{"group":"\#(group)","user":"ann"}"#)
        let geometry = answer["path"]["geometry"]
        let positions = geometry["coordinates"].elements
        guard geometry["type"] == "Point" else {
            return positions.compactMap { $0.elements[1].number }
        }
        return positions[1].number.map { [$0] } ?? []
    }
}
