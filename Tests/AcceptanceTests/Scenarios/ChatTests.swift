import Foundation
import TestSupport
import Testing

/// The use cases of chats: joining, leaving, writing, connecting and disconnecting.
@Suite(.timeLimit(.minutes(2)))
struct ChatTests {
    /// Periods short enough to wait for.
    private static let quick = ["KITH_TRACKING_OFFLINE_AFTER": "1"]

    private func send(_ installation: Installation, _ user: String, _ group: String, _ text: String)
        async throws -> JSON
    {
        let payload = #"{"id":"\#(UUID())","group":"\#(group)","text":"\#(text)"}"#
        return try await installation.done(user, "chat.send", payload)["message"]
    }

    private func messages(_ listener: Listener, _ group: String) -> [JSON] {
        listener.heard.filter { $0.topic == Topic.chat(group) && $0.json["kind"] == "message" }
            .map(\.json)
    }

    @Test func `A message reaches all clients of all members and no one else`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben", "cleo")
            try await installation.kith("user", "add", "dan", "--name", "Dan")
            try await installation.start()
            let topic = Topic.chat(group)
            var listeners: [Listener] = []
            for client: Client in [
                .device("ann", "tablet"), .device("ben"), .device("ben", "tablet"),
                .device("cleo"),
            ] {
                listeners.append(try await installation.listen(as: client, to: topic))
            }
            let text = "Grüße 👋 \\\"you\\\"\\n日本語"
            let told = try await send(installation, "ann", group, text)
            #expect(told["text"].text == "Grüße 👋 \"you\"\n日本語")
            #expect(told["from"] == "ann")
            #expect(told["name"] == "Ann")
            for listener in listeners {
                let heard = try await listener.hears("the message", on: topic) {
                    $0["kind"] == "message"
                }
                #expect(heard.json == told)
                #expect(!heard.isRetained)
            }
            let refusal = try await Program.run(
                "mosquitto_sub",
                try await installation.credentials(.device("dan")) + ["-t", topic, "-W", "25"])
            #expect(refusal.errors.contains("denied"), "\(refusal)")
            for method in ["chat.send", "chat.history"] {
                let reply = try await installation.ask(
                    "dan", method, #"{"group":"\#(group)","text":"x"}"#)
                #expect(reply["problem"]["type"] == "urn:kith:problem:not-a-member")
            }
        }
    }

    /// Only the service may publish on the topic: what a member publishes there reaches no one.
    @Test func `A member cannot publish chat past the service`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let topic = Topic.chat(group)
            let ben = try await installation.listen(as: .device("ben"), to: topic)
            _ = try await Program.run(
                "mosquitto_pub",
                try await installation.credentials(.device("ann")) + [
                    "-q", "1", "-t", topic, "-m", #"{"kind":"message","from":"ben","text":"x"}"#,
                ])
            _ = try await send(installation, "ann", group, "last")
            try await ben.hears("the last", on: topic) { $0["text"] == "last" }
            #expect(messages(ben, group).count == 1)
        }
    }

    @Test func `A participant adds and removes a member, and the others are notified`() async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.kith(
                "user", "add", "cleo", "--name", "Cleo", "--email", "cleo@example.org")
            try await installation.start()
            let topic = Topic.chat(group)
            let ben = try await installation.listen(as: .device("ben"), to: topic)
            _ = try await send(installation, "ann", group, "before")

            // People on Cleo's list may add her.
            try await installation.done("cleo", "friend.add", #"{"user":"ann"}"#)
            let add = #"{"group":"\#(group)","user":"cleo"}"#
            try await installation.done("ann", "group.add", add)
            let joined = try await ben.hears("that she joined", on: topic) {
                $0["kind"] == "joined"
            }
            #expect(joined.json["from"] == "cleo")
            #expect(joined.json["text"] == "Cleo is in the group now.")
            let again = try await installation.ask("ann", "group.add", add)
            #expect(again["problem"]["type"] == "urn:kith:problem:already-a-member")

            let cleo = try await installation.listen(as: .device("cleo"), to: topic)
            _ = try await send(installation, "ann", group, "with Cleo")
            try await cleo.hears("a message", on: topic) { $0["text"] == "with Cleo" }
            let history = try await installation.done(
                "cleo", "chat.history", #"{"group":"\#(group)"}"#)
            #expect(history["messages"].elements.last?["kind"] == "joined")
            #expect(!history["messages"].elements.contains { $0["text"] == "before" })

            try await installation.done(
                "ann", "group.rename", #"{"group":"\#(group)","name":"Walkers"}"#)
            try await ben.hears("the new name", on: topic) {
                $0["kind"] == "renamed" && $0["text"] == "Ann has renamed the group to Walkers."
            }

            try await installation.done(
                "ben", "group.remove", #"{"group":"\#(group)","user":"cleo"}"#)
            try await ben.hears("that she left", on: topic) {
                $0["kind"] == "left" && $0["from"] == "cleo"
            }
            _ = try await send(installation, "ann", group, "without Cleo")
            try await ben.hears("the last", on: topic) { $0["text"] == "without Cleo" }
            #expect(!cleo.heard.contains { $0.json["kind"] == "left" })
            #expect(!messages(cleo, group).contains { $0["text"] == "without Cleo" })
            let refused = try await installation.ask(
                "cleo", "chat.history", #"{"group":"\#(group)"}"#)
            #expect(refused["problem"]["type"] == "urn:kith:problem:not-a-member")
        }
    }

    @Test func `A member's first connection and last disconnection are notified to the others`()
        async throws
    {
        // Long enough to come back in time.
        try await withInstallation(["KITH_TRACKING_OFFLINE_AFTER": "12"]) { installation in
            let group = try await installation.family("ann", "ben", "cleo")
            try await installation.start()
            let topic = Topic.chat(group)
            let ben = try await installation.listen(as: .device("ben"), to: topic)
            func kinds() -> [String] {
                ben.heard.filter { $0.json["from"] == "ann" }.compactMap(\.json["kind"].text)
            }
            let phone = try await installation.listen(as: .device("ann"), to: topic)
            try await ben.hears("that she is there", on: topic) {
                $0["kind"] == "online" && $0["from"] == "ann"
            }
            let tablet = try await installation.listen(as: .device("ann", "tablet"), to: topic)
            let cleo = try await installation.listen(as: .device("cleo"), to: topic)
            await phone.kill()
            // The last device leaves and returns immediately; Cleo's leaves for good a bit later.
            await tablet.kill()
            await cleo.kill()
            let back = try await installation.listen(as: .device("ann", "tablet"), to: topic)
            try await ben.hears("that Cleo is gone", on: topic) {
                $0["kind"] == "offline" && $0["from"] == "cleo"
            }
            _ = try await send(installation, "ben", group, "still there")
            try await back.hears("a message", on: topic) { $0["text"] == "still there" }
            #expect(kinds() == ["online"])
            await back.kill()
            let gone = try await ben.hears("that she is gone", on: topic) {
                $0["kind"] == "offline" && $0["from"] == "ann"
            }
            #expect(gone.json["text"] == "Ann has gone offline.")
            #expect(kinds() == ["online", "offline"])
        }
    }

    @Test func `An absent member gets missed messages from the session or the history`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben", "cleo")
            try await installation.start()
            let topic = Topic.chat(group)
            func listen() async throws -> Listener {
                try await installation.listen(
                    ["-c", "-i", "ben.phone", "-V", "5", "-x", "600"], as: .device("ben"), to: topic
                )
            }
            let first = try await listen()
            let cleo = try await installation.listen(as: .device("cleo"), to: topic)
            _ = try await send(installation, "ann", group, "0")
            try await first.hears("a message", on: topic) { $0["text"] == "0" }
            await first.kill()
            for number in 1...9 { _ = try await send(installation, "ann", group, "\(number)") }
            let second = try await listen()
            try await second.hears("the last message", on: topic) { $0["text"] == "9" }
            let expected = (1...9).map { JSON.string("\($0)") }
            #expect(messages(second, group).map(\.["text"]).suffix(9) == expected[...])
            try await cleo.hears("the last message", on: topic) { $0["text"] == "9" }
            #expect(messages(cleo, group).suffix(9) == messages(second, group).suffix(9))

            var (all, before) = ([JSON](), "")
            repeat {
                let page = try await installation.done(
                    "ben", "chat.history", #"{"group":"\#(group)","limit":4\#(before)}"#)
                all += page["messages"].elements
                before = page["next"].text.map { #","before":"\#($0)""# } ?? ""
            } while before != ""
            let texts = all.filter { $0["kind"] == "message" }.map(\.["text"])
            #expect(texts == (0...9).reversed().map { .string("\($0)") })
            let ids = all.compactMap(\.["id"].text)
            #expect(ids == ids.sorted(by: >))
        }
    }

    @Test func `An invalid message is refused with the reason, as are too many`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            for (text, reason) in [
                ("", "must not be empty"), ("a\\u0007", "control characters other"),
                (String(repeating: "x", count: 4001), "at most 4000 characters"),
            ] {
                let reply = try await installation.ask(
                    "ann", "chat.send", #"{"group":"\#(group)","text":"\#(text)"}"#)
                #expect(reply["problem"]["type"] == "urn:kith:problem:invalid")
                #expect(reply["problem"]["errors"].elements.first?["field"] == "text")
                #expect(reply["problem"]["detail"].text?.contains(reason) == true)
            }
            let device = Topic.device("ann")
            let replies = try await installation.listen(as: .device("ann"), to: device + "/replies")
            let lines = (1...60).map { #"{"id":\#($0),"group":"\#(group)","text":"x"}"# }
            _ = try await Program.succeed(
                "bash",
                [
                    "-c", #"printf '%s\n' "$0" | mosquitto_pub "$@""#,
                    lines.joined(separator: "\n"),
                ] + (try await installation.credentials(.device("ann"))) + [
                    "-q", "1", "-l", "-t", device + "/requests/chat.send",
                ])
            _ = try await eventually("sixty replies") {
                replies.heard.count >= 60 ? true : nil
            }
            let refused = replies.heard.filter {
                $0.json["problem"]["type"] == "urn:kith:problem:too-many"
            }
            #expect(refused.count >= 10, "\(refused.count)")
            #expect(replies.heard.count { $0.json["result"] != .null } >= 10)
        }
    }

    @Test func `A deleted account's messages remain as empty places`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let ben = try await installation.listen(as: .device("ben"), to: Topic.chat(group))
            let told = try await send(installation, "ann", group, "forget me")
            try await installation.kith("user", "remove", "ann", "--yes")
            let left = try await ben.hears("that somebody left", on: Topic.chat(group)) {
                $0["kind"] == "left"
            }
            #expect(left.json["from"] == .null && left.json["text"] == .null)
            let history = try await installation.done(
                "ben", "chat.history", #"{"group":"\#(group)"}"#)
            let place = try #require(
                history["messages"].elements.first { $0["id"] == told["id"] })
            #expect(place["kind"] == "message")
            #expect(place["from"] == .null && place["name"] == .null && place["text"] == .null)
            #expect(place["at"] == told["at"])
        }
    }
}
