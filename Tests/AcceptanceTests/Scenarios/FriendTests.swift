import Foundation
import TestBroker
import TestSupport
import Testing

/// The use cases of "friends", each with its alternative flows, with stock clients.
@Suite(.timeLimit(.minutes(2)))
struct FriendTests {
    private static let location = "kith/users/ann/location"

    /// Registers Ann, Ben and Cleo, who have no groups or friends in common.
    private func town(_ installation: Installation) async throws {
        for user in ["ann", "ben", "cleo"] {
            try await installation.kith("user", "add", user, "--name", user.capitalized)
        }
        try await installation.start()
    }

    private func isRefused(_ user: String, _ topic: String, _ installation: Installation)
        async throws
        -> Bool
    {
        let ending = try await Program.run(
            "mosquitto_sub",
            try await installation.credentials(.device(user)) + [
                "-t", topic, "-C", "1", "-W", "25",
            ])
        return ending.complaints.contains("All subscription requests were denied.")
    }

    @Test func `Add a friend: found or not found, and the friend is notified`() async throws {
        try await withInstallation { installation in
            try await town(installation)
            let ben = try await installation.phone(of: "ben")
            let added = try await installation.done("ann", "friend.add", #"{"user":"ben"}"#)
            #expect(added["friend"]["user"] == "ben")
            let notice = try await ben.hears("a notice", on: "kith/users/ben/notices")
            #expect(notice.json["kind"] == "friend-added")
            #expect(notice.json["user"] == "ann")
            #expect(notice.json["name"] == "Ann")
            let unknown = try await installation.ask("ann", "friend.add", #"{"user":"nobody"}"#)
            #expect(unknown["problem"]["type"] == "urn:kith:problem:unknown-user")
            let list = try await installation.done("ann", "friend.list")
            #expect(list["friends"].elements.map(\.["user"]) == ["ben"])
            // Friendship alone shows no positions.
            try await installation.publish(Topic.fix("ann"), fix(at: 10))
            #expect(try await isRefused("ben", Self.location, installation))
            try await installation.done("ann", "friend.remove", #"{"user":"ben"}"#)
            #expect(try await installation.done("ann", "friend.list")["friends"].elements.isEmpty)
        }
    }

    @Test func `Show location to selected friends, with a confirmed position, then to all`()
        async throws
    {
        try await withInstallation { installation in
            try await town(installation)
            let (ben, cleo) = (
                try await installation.phone(of: "ben"), try await installation.phone(of: "cleo")
            )
            for user in ["ben", "cleo"] {
                try await installation.done("ann", "friend.add", #"{"user":"\#(user)"}"#)
            }
            let place = #"{"latitude":\#(Place.latitude(70)),"longitude":\#(Place.longitude)}"#
            let shared = try await installation.done(
                "ann", "friend.share", #"{"with":["ben"],"fix":\#(place)}"#)
            #expect(shared["watchers"] == ["ben"])
            #expect(shared["fix"].isFix(at: 70))
            try await ben.hears("a notice", on: "kith/users/ben/notices") {
                $0["kind"] == "location-shared" && $0["user"] == "ann"
            }
            let view = try await installation.listen(as: .device("ben"), to: Self.location)
            let retained = try #require(view.latest[Self.location])
            #expect(retained.isRetained)
            #expect(retained.json.isFix(at: 70))
            #expect(retained.json["name"] == "Ann")
            #expect(try await isRefused("cleo", Self.location, installation))

            // Live updates follow.
            try await installation.publish(Topic.fix("ann"), fix(at: 90))
            try await view.hears("Ann moving", on: Self.location) { $0.isFix(at: 90) }
            try await installation.done("ann", "friend.share", #"{"with":"all"}"#)
            try await cleo.hears("a notice", on: "kith/users/cleo/notices") {
                $0["kind"] == "location-shared"
            }
            let late = try await installation.listen(as: .device("cleo"), to: Self.location)
            #expect(late.latest[Self.location]?.json.isFix(at: 90) == true)

            let stranger = try await installation.ask("ann", "friend.share", #"{"with":["ann"]}"#)
            #expect(stranger["problem"]["type"] == "urn:kith:problem:not-a-friend")
            let wrong = try await installation.ask(
                "ann", "friend.share", #"{"with":"all","fix":{"latitude":91,"longitude":0}}"#)
            #expect(wrong["problem"]["errors"].elements.map(\.["field"]) == ["fix.latitude"])
        }
    }

    @Test func `A friend excluded from sharing sees nothing from the reply on`() async throws {
        try await withInstallation { installation in
            try await town(installation)
            for user in ["ben", "cleo"] {
                try await installation.done("ann", "friend.add", #"{"user":"\#(user)"}"#)
            }
            try await installation.publish(Topic.fix("ann"), fix(at: 1))
            try await installation.done("ann", "friend.share", #"{"with":"all"}"#)
            let ben = try await installation.listen(
                ["-q", "0"], as: .device("ben"), to: Self.location)
            let cleo = try await installation.listen(as: .device("cleo"), to: Self.location)
            for friend in [ben, cleo] {
                try await friend.hears("Ann", on: Self.location) { $0.isFix(at: 1) }
            }
            try await installation.done("ann", "friend.unshare", #"{"with":["ben"]}"#)
            let before = ben.count
            try await installation.publish(Topic.fix("ann"), fix(at: 50))
            try await cleo.hears("Ann", on: Self.location) { $0.isFix(at: 50) }
            #expect(ben.count == before)
            #expect(try await isRefused("ben", Self.location, installation))

            try await installation.done("cleo", "friend.block", #"{"user":"ann"}"#)
            #expect(try await isRefused("cleo", Self.location, installation))
            #expect(
                try await installation.done("ann", "friend.list")["friends"].elements.count == 2)
        }
    }

    @Test func `Find friends in my area: no one, then the nearest first`() async throws {
        try await withInstallation { installation in
            try await town(installation)
            let here = #"{"latitude":\#(Place.latitude(0)),"longitude":\#(Place.longitude)}"#
            func nearby(_ radius: Int) async throws -> JSON {
                try await installation.done(
                    "ann", "friend.nearby", #"{"radius":\#(radius),"fix":\#(here)}"#)
            }
            for (user, metres) in [("ben", 800.0), ("cleo", 300.0)] {
                try await installation.done(user, "friend.add", #"{"user":"ann"}"#)
                try await installation.publish(Topic.fix(user), fix(at: metres))
            }
            #expect(try await nearby(1000)["friends"] == [])
            try await installation.done("ben", "friend.share", #"{"with":"all"}"#)
            try await installation.done("cleo", "friend.share", #"{"with":["ann"]}"#)
            let friends = try await nearby(1000)["friends"].elements
            #expect(friends.map(\.["user"]) == ["cleo", "ben"])
            #expect(friends.map(\.["name"]) == ["Cleo", "Ben"])
            #expect(abs((friends[0]["distance"].number ?? 0) - 300) < 1)
            #expect(friends[0]["bearing"].number == 0)
            #expect(friends[0]["fix"].isFix(at: 300))
            #expect(try await nearby(500)["friends"].elements.map(\.["user"]) == ["cleo"])
            let unknown = try await installation.ask("ann", "friend.nearby", #"{"radius":1000}"#)
            #expect(unknown["problem"]["errors"].elements.map(\.["field"]) == ["fix"])
            try await installation.done("cleo", "location.off")
            #expect(try await nearby(1000)["friends"].elements.map(\.["user"]) == ["ben"])
        }
    }

    @Test func `Turn location tracking off: confirmed, and nothing is left to see`() async throws {
        try await withInstallation { installation in
            try await town(installation)
            let group = try await installation.done("ann", "group.create", #"{"name":"Two"}"#)[
                "group"]
            let key = try #require(group.text)
            try await installation.kith("group", "add", key, "ben")
            try await installation.done("ann", "friend.add", #"{"user":"cleo"}"#)
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 5))
            try await installation.done("ann", "friend.share", #"{"with":"all"}"#)
            let ben = try await installation.listen(
                as: .device("ben"), to: Topic.member(key, "ann"))

            try await installation.done("ann", "sos.trigger")
            let refused = try await installation.ask("ann", "location.off")
            #expect(refused["problem"]["type"] == "urn:kith:problem:already-in-sos")
            try await installation.done("ann", "sos.stop")

            let off = try await installation.done("ann", "location.off")
            #expect(off["deleted"]["locations"].number == 1)
            #expect(off["deleted"]["friends"].number == 1)
            #expect(off["deleted"]["groups"].elements.map(\.text) == [key])
            try await ben.hears("nothing", on: Topic.member(key, "ann")) {
                $0["state"] == "inactive" && $0["fix"] == .null
            }
            #expect(try await isRefused("cleo", Self.location, installation))
            let own = try await installation.listen(as: .device("ann"), to: Self.location)
            #expect(own.latest[Self.location] == nil)
            await installation.crash()
            try await installation.start()
            let late = try await installation.listen(
                as: .device("ben"), to: Topic.member(key, "ann"))
            #expect(late.latest[Topic.member(key, "ann")]?.json["fix"] == .null)
        }
    }

    @Test func `Watchers are listed, and a user who leaves sharing on is reminded`() async throws {
        // A reminder after 2.6 s.
        try await withInstallation(["KITH_SHARING_REMIND_AFTER": "0.00003"]) { installation in
            try await town(installation)
            let ann = try await installation.phone(of: "ann")
            try await installation.done("ann", "friend.add", #"{"user":"ben"}"#)
            try await installation.done("ann", "friend.share", #"{"with":"all"}"#)
            let list = try await installation.done("ann", "sharing.list")["watchers"].elements
            #expect(list.map(\.["user"]) == ["ben"])
            #expect(list.first?["why"] == "friend")
            #expect(list.first?["since"].text != nil)
            let notice = try await ann.hears("a reminder", on: "kith/users/ann/notices") {
                $0["kind"] == "sharing-reminder"
            }
            #expect(notice.json["friends"].number == 1)
        }
    }
}
