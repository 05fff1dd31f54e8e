import Foundation
import TestJSON
import Testing

/// A scenario being run. "I" am Ann; the others in her group are Ben, who is online, and Cleo, who
/// was.
actor Story {
    /// Periods short enough to wait for, with fixes whose timestamps are in the past.
    static let settings = [
        "KITH_TRACKING_OFFLINE_AFTER": "1", "KITH_TRACKING_STUCK_AFTER": "60",
    ]

    let installation: Installation
    var group = ""
    /// My phone, until it dies.
    var phone: Listener?
    /// What Ben has seen of the group, from the beginning.
    private var view: Listener?
    /// How much Ben had seen before the last `When`.
    var seen = 0
    /// The group's members, from my last `members.get`.
    var members: [JSON] = []
    /// The age in seconds of my last fix.
    var age = 110.0
    /// Metres from where I began; nil until I send a position.
    var place: Double?

    static func play(_ scenario: Scenario) async throws {
        try await withInstallation(settings) { installation in
            let story = Story(installation)
            for step in scenario.steps {
                do {
                    try await story.take(step)
                } catch {
                    Issue.record("“\(step)”: \(error)")
                    return
                }
            }
        }
    }

    private init(_ installation: Installation) { self.installation = installation }

    private func take(_ step: String) async throws {
        if try await prepare(step) { return }
        if try await act(step) { return }
        if try await check(step) { return }
        throw NothingHappened(description: "There is no such step.")
    }

    var ben: Listener { get throws { try #require(view) } }
    var myTopic: String { Topic.member(group, "ann") }

    /// From now on only what Ben sees next counts.
    func markTheTime() throws { seen = try ben.count }

    /// - Returns: whether there is such a step.
    private func prepare(_ step: String) async throws -> Bool {
        switch step {
        case "I am a logged user":
            try await installation.kith("user", "add", "ann", "--name", "Ann")
        case "with a registered device":
            let token = try await installation.kith("user", "token", "ann", "phone")
            #expect(token.wholeMatch(of: /ann\.phone\.[A-Za-z0-9_-]{43}/) != nil)
        case "I am in a group with other users":
            try await gather()
        case "I'm in routing mode":
            try await travel()
        case "I have triggered an SOS alert":
            place = 0
            try await installation.done("ann", "sos.trigger", #"{"fix":\#(fix(at: 0, age: age))}"#)
            try await sees("sos")
        default: return false
        }
        if view != nil { try markTheTime() }
        return true
    }

    private func gather() async throws {
        for user in ["ben", "cleo"] {
            try await installation.kith("user", "add", user, "--name", user.capitalized)
        }
        group = try await installation.kith("group", "create", "Family", "ann", "ben", "cleo")
        try await installation.start()
        phone = try await installation.phone(of: "ann")
        _ = try await installation.phone(of: "ben")
        view = try await installation.listen(as: .device("ben"), to: "kith/groups/\(group)/#")
        for (user, metres) in [("cleo", 3000.0), ("ben", 2000.0)] {
            try await installation.done(user, "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix(user), fix(at: metres))
        }
        // Requests do not wait behind fixes.
        try await ben.hears("Ben at home", on: Topic.member(group, "ben")) {
            $0["fix"].isFix(at: 2000)
        }
        try markTheTime()
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
        for metres in [0.0, 300, 600] { try await move(to: metres) }
        try await sees("routing")
    }

    /// Sends my position from my phone, a little later than before.
    func move(to metres: Double, after seconds: Double = 2) async throws {
        (place, age) = (metres, age - seconds)
        try await installation.publish(Topic.fix("ann"), fix(at: metres, age: age))
    }

    /// Expects that Ben sees me in this state at my position; without one, if I have not sent any.
    func sees(_ state: String) async throws {
        let place = place
        let there = place.map { "at \($0) m" } ?? "nowhere"
        try await ben.hears("\(state) \(there)", on: myTopic, since: seen) { json in
            json["state"].text == state
                && (place.map { json["fix"].isFix(at: $0) } ?? (json["fix"] == .null))
        }
    }
}
