import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct GroupTests {
    @Test func `A group is created, joined, renamed and left, with everyone concerned notified`()
        async throws
    {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let ben = try await installation.phone(of: "ben")
            let made = try await installation.done("ann", "group.create", #"{"name":"Hikers"}"#)
            let group = try #require(made["group"].text)
            let topic = "kith/groups/\(group)"

            try await installation.done("ann", "group.add", #"{"group":"\#(group)","user":"ben"}"#)
            let notice = try await ben.hears("a notice", on: "kith/users/ben/notices")
            #expect(notice.json["kind"] == "invited-to-group")
            #expect(notice.json["name"] == "Hikers")
            #expect(notice.json["by"] == "ann")
            let invitation = try #require(notice.json["invitation"].text)
            let choice = #"{"invitation":"\#(invitation)"}"#
            try await installation.done("ben", "invitation.accept", choice)
            try await ben.hears("two groups", on: "kith/users/ben/groups") {
                $0.elements.map(\.["name"]) == ["Family", "Hikers"]
            }
            let view = try await installation.listen(as: .device("ann"), to: topic + "/#")
            #expect(view.latest[topic]?.json["members"].elements.count == 2)

            try await installation.done(
                "ben", "group.rename", #"{"group":"\#(group)","name":"Walkers"}"#)
            try await view.hears("the new name", on: topic) { $0["name"] == "Walkers" }
            try await ben.hears("the new name", on: "kith/users/ben/groups") {
                $0.elements.map(\.["name"]) == ["Family", "Walkers"]
            }

            try await installation.done("ben", "group.leave", #"{"group":"\#(group)"}"#)
            try await view.hears("one member", on: topic) { $0["members"].elements.count == 1 }
            try await ben.hears("one group", on: "kith/users/ben/groups") {
                $0.elements.map(\.["name"]) == ["Family"]
            }
            let refused = try await installation.ask(
                "ben", "members.get", #"{"group":"\#(group)"}"#)
            #expect(refused["problem"]["type"] == "urn:kith:problem:not-a-member")
        }
    }

    @Test func `A removed member is notified and leaves nothing on the group's topics`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben", "cleo")
            try await installation.start()
            let ben = try await installation.phone(of: "ben")
            let view = try await installation.listen(
                as: .device("ann"), to: "kith/groups/\(group)/#")
            try await installation.done("ben", "sos.trigger", #"{"fix":\#(fix(at: 10))}"#)
            let member = Topic.member(group, "ben")
            try await view.hears("a path", on: member + "/path/1")

            let removal = #"{"group":"\#(group)","user":"ben"}"#
            let refused = try await installation.ask("ann", "group.remove", removal)
            #expect(refused["problem"]["type"] == "urn:kith:problem:already-in-sos")
            try await installation.done("ben", "sos.stop")
            try await installation.done("ann", "group.remove", removal)
            try await ben.hears("a notice", on: "kith/users/ben/notices") {
                $0["kind"] == "removed-from-group" && $0["by"] == "ann"
            }
            for topic in [member, member + "/path/1"] {
                _ = try await eventually("nothing on \(topic)") {
                    view.latest[topic]?.payload.isEmpty == true ? true : nil
                }
            }
            let late = try await installation.listen(
                as: .device("ann"), to: "kith/groups/\(group)/#")
            #expect(!late.heard.contains { $0.topic.hasPrefix(member) })
            let start = view.count
            try await installation.publish(Topic.fix("ben"), fix(at: 500))
            try await installation.publish(Topic.fix("ann"), fix(at: 20))
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await view.hears("Ann", on: Topic.member(group, "ann"), since: start) {
                $0["fix"].isFix(at: 20)
            }
            #expect(!view.heard.dropFirst(start).contains { $0.topic.hasPrefix(member) })
        }
    }

    @Test func `A later subscriber gets an offline member's last known location`() async throws {
        try await withInstallation(["KITH_TRACKING_OFFLINE_AFTER": "1"]) { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let topic = Topic.member(group, "ann")
            let witness = try await installation.listen(as: .device("ben"), to: topic)
            let phone = try await installation.phone(of: "ann")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 700))
            await phone.kill()
            try await witness.hears("offline", on: topic) {
                $0["online"] == false && $0["fix"].isFix(at: 700)
            }
            let late = try await installation.listen(
                as: .device("ben"), to: "kith/groups/\(group)/#")
            let state = try #require(late.latest[topic])
            #expect(state.isRetained)
            #expect(state.json["state"] == "active")
            #expect(state.json["online"] == false)
            #expect(state.json["fix"].isFix(at: 700))
        }
    }
}
