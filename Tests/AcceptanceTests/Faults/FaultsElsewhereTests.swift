import TestSupport
import Testing

/// Faults known from other location services.
@Suite(.timeLimit(.minutes(2)))
struct FaultsElsewhereTests {
    private static let settings = [
        "KITH_TRACKING_OFFLINE_AFTER": "1", "KITH_TRACKING_STUCK_AFTER": "30",
    ]

    /// - Returns: a journey of Ann's that ends in this many seconds.
    private func journey(in seconds: Double) -> String {
        """
        {"groups":"all","eta":"\(time(in: seconds))","destination":\
        {"latitude":47,"longitude":14.5}}
        """
    }

    /// Runs `body` with a family, and Ben's view of it.
    private func withFamily(
        _ body: (Installation, _ group: String, _ ben: Listener) async throws -> Void
    ) async throws {
        try await withInstallation(FaultsElsewhereTests.settings) { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let ben = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(group)/#")
            try await body(installation, group, ben)
        }
    }

    @Test func `A phone that dies before its ETA still becomes late`() async throws {
        try await withFamily { installation, group, ben in
            let phone = try await installation.phone(of: "ann")
            try await installation.done("ann", "journey.start", journey(in: 8))
            await phone.kill()
            for kind in ["offline", "late"] {
                try await ben.hears(kind, on: Topic.alerts(group)) { $0["kind"].text == kind }
            }
            try await ben.hears("both warnings", on: Topic.member(group, "ann")) {
                $0["warnings"] == ["offline", "late"]
            }
        }
    }

    @Test func `Going offline while late still raises an alert`() async throws {
        try await withFamily { installation, group, ben in
            let phone = try await installation.phone(of: "ann")
            try await installation.done("ann", "journey.start", journey(in: 8))
            try await ben.hears("late", on: Topic.alerts(group)) { $0["kind"] == "late" }
            await phone.kill()
            try await ben.hears("offline", on: Topic.alerts(group)) { $0["kind"] == "offline" }
        }
    }

    @Test func `A second stuck episode alerts again, and late is still judged after it`()
        async throws
    {
        try await withFamily { installation, group, ben in
            _ = try await installation.phone(of: "ann")
            try await installation.done("ann", "journey.start", journey(in: 600))
            let way: [(age: Double, metres: Double)] = [
                (110, 0), (95, 5), (79, 3), (70, 400), (60, 401), (45, 402), (29, 403),
            ]
            for step in way {
                try await installation.publish(
                    Topic.fix("ann"), fix(at: step.metres, age: step.age))
            }
            try await ben.hears("stuck again", on: Topic.member(group, "ann")) {
                $0["warnings"] == ["stuck"] && $0["fix"].isFix(at: 403)
            }
            let soon = time(in: 8)
            try await installation.done(
                "ann", "journey.start", #"{"extend":true,"eta":"\#(soon)"}"#)
            try await ben.hears("late", on: Topic.alerts(group)) { $0["kind"] == "late" }
            let kinds = ben.heard.filter { $0.topic == Topic.alerts(group) }.map(\.json["kind"])
            #expect(kinds == ["journey-started", "stuck", "moving", "stuck", "late"])
        }
    }

    @Test func `An SOS reaches all groups with one request, and a friend in two of them in both`()
        async throws
    {
        try await withFamily { installation, family, ben in
            let hikers = try await installation.kith("group", "create", "Hikers", "ann", "ben")
            let others = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(hikers)/#")
            _ = try await installation.phone(of: "ann")
            try await installation.done("ann", "sos.trigger", #"{"fix":\#(fix(at: 30))}"#)
            var ids: Set<String?> = []
            for (view, group) in [(ben, family), (others, hikers)] {
                let alert = try await view.hears("sos", on: Topic.alerts(group))
                #expect(alert.json["kind"] == "sos")
                #expect(alert.json["group"].text == group)
                #expect(alert.json["fix"].isFix(at: 30))
                ids.insert(alert.json["id"].text)
                try await view.hears("the state", on: Topic.member(group, "ann")) {
                    $0["state"] == "sos" && $0["fix"].isFix(at: 30)
                }
            }
            #expect(ids.count == 2)
        }
    }

    @Test func `A member who shares with one of two common groups is seen only there`() async throws
    {
        try await withFamily { installation, family, ben in
            let hikers = try await installation.kith("group", "create", "Hikers", "ann", "ben")
            let others = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(hikers)/#")
            try await installation.done("ann", "sharing.start", #"{"groups":["\#(family)"]}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 40))
            try await ben.hears("Ann", on: Topic.member(family, "ann")) {
                $0["state"] == "active" && $0["fix"].isFix(at: 40)
            }
            try await others.hears("Ann", on: Topic.member(hikers, "ann")) {
                $0["state"] == "inactive" && $0["online"] == true
            }
            #expect(!others.heard.contains { $0.json["fix"] != .null })
        }
    }

    @Test func `A clock far in the future is refused and blocks nothing`() async throws {
        try await withFamily { installation, group, ben in
            let phone = try await installation.phone(of: "ann")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 50, age: -315_360_000))
            let refusal = try await phone.hears("it", on: Topic.device("ann") + "/rejected")
            #expect(refusal.json["problem"]["errors"].elements.map(\.["field"]) == ["timestamp"])
            try await installation.publish(Topic.fix("ann"), fix(at: 60))
            try await ben.hears("the next fix", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 60)
            }
            #expect(!ben.heard.contains { $0.json["fix"].isFix(at: 50) })
        }
    }
}
