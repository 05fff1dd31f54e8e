import Foundation
import TestSupport
import Testing

/// `GET /api/events` as `curl -N` shows it.
@Suite(.timeLimit(.minutes(3)))
struct EventTests {
    /// The events' data, without their ids.
    private func events(_ reader: RunningProgram) -> [JSON] {
        reader.lines.filter { $0.hasPrefix("data: ") }.map {
            JSON(parsing: String($0.dropFirst(6)))
        }
    }

    private func lastID(_ reader: RunningProgram) -> String? {
        reader.lines.last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test func `Events show retained messages, and then new ones`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ben = try await installation.token("ben")
            let reader = try await site.events(
                ben, "kith/groups/\(group)/#", "kith/users/ben/groups")
            _ = try await eventually("the group") { () -> Bool? in
                events(reader).contains { $0["topic"].text == "kith/groups/\(group)" } ? true : nil
            }
            try await installation.done("ann", "sos.trigger")
            let alert = try await eventually("the alert") {
                events(reader).first { $0["topic"].text == "kith/groups/\(group)/alerts" }
            }
            #expect(alert["payload"]["kind"] == "sos")
            #expect(alert["retain"] == false)
            await reader.kill()
        }
    }

    @Test func `A returning reader gets missed events, or a reset if they are not known`()
        async throws
    {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ben = try await installation.token("ben")
            let topic = "kith/groups/\(group)/chat"
            let reader = try await site.events(ben, topic)
            try await installation.done("ann", "chat.send", #"{"group":"\#(group)","text":"one"}"#)
            let id = try await eventually("the first") { () -> String? in
                events(reader).contains { $0["payload"]["text"] == "one" } ? lastID(reader) : nil
            }
            await reader.kill()
            for text in ["two", "three"] {
                try await installation.done(
                    "ann", "chat.send", #"{"group":"\#(group)","text":"\#(text)"}"#)
            }
            let again = try await site.events(
                ben, topic, arguments: ["-H", "Last-Event-ID: \(id)"])
            let texts = try await eventually("what was missed") { () -> [String]? in
                let texts = events(again).compactMap { $0["payload"]["text"].text }
                return texts.contains("three") ? texts : nil
            }
            #expect(texts == ["two", "three"])
            #expect(!again.lines.contains("event: reset"))
            let lost = try await site.events(ben, topic, arguments: ["-H", "Last-Event-ID: 1-1"])
            _ = try await eventually("a reset") { () -> Bool? in
                lost.lines.contains("event: reset") ? true : nil
            }
            await again.kill()
            await lost.kill()
        }
    }

    @Test func `Another user's events are refused, even by a clever filter`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            try await installation.kith("user", "add", "eve")
            let eve = try await installation.token("eve")
            let filters = [
                "kith/groups/\(group)/%23", "kith/users/ann/groups", "kith/users/ann/%23",
                "kith/%2B/%2B/%2B", "%23", "kith/groups/%2B/alerts",
                "%24share/x/kith/groups/\(group)/alerts",
                "%24SYS/%23", "kith/users/ann/devices/phone/replies", "kith/system/status",
                "owntracks/ann/%23", "kith/users/eve/../ann/groups",
                "kith/users/eve%2Fgroups%2F..%2F%23",
            ]
            for filter in filters {
                let answer = try await site.curl(
                    "/api/events?topic=\(filter)",
                    ["-H", "Authorization: Bearer \(eve)", "--max-time", "10"])
                #expect(answer.status == 403, "\(filter): \(answer)")
            }
            for filter in [
                "", "kith/%00/x", "kith/%0Aid", String(repeating: "a", count: 600), "kith/%23/x",
                "kith/a%2Bb",
            ] {
                let answer = try await site.curl(
                    "/api/events?topic=\(filter)", ["-H", "Authorization: Bearer \(eve)"])
                #expect(answer.status == 400, "\(filter): \(answer)")
            }
            // One bad topic fails the whole request: none of its topics is granted.
            let mixed = try await site.curl(
                "/api/events?topic=kith/users/eve/groups&topic=kith/users/ann/groups",
                ["-H", "Authorization: Bearer \(eve)"])
            #expect(mixed.status == 403)
        }
    }

    @Test func `A removed member's reader gets a refusal and nothing more`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ben = try await installation.token("ben")
            let reader = try await site.events(
                ben, "kith/groups/\(group)/#", "kith/users/ben/notices")
            _ = try await eventually("the group") { () -> Bool? in
                events(reader).isEmpty ? nil : true
            }
            try await installation.done(
                "ann", "group.remove", #"{"group":"\#(group)","user":"ben"}"#)
            _ = try await eventually("a refusal") { () -> Bool? in
                reader.lines.contains("event: refused") ? true : nil
            }
            let count = reader.lines.count
            try await installation.done("ann", "sos.trigger")
            try await installation.done("ann", "chat.send", #"{"group":"\#(group)","text":"hush"}"#)
            // Once a later message has arrived on the same connection, nothing else is in flight.
            try await installation.done("ann", "friend.add", #"{"user":"ben"}"#)
            _ = try await eventually("a later notice") { () -> Bool? in
                events(reader).contains { $0["payload"]["kind"] == "friend-added" } ? true : nil
            }
            #expect(!reader.lines.dropFirst(count).joined().contains("hush"))
            #expect(!reader.lines.joined().contains("\"sos\""))
            await reader.kill()
        }
    }

    @Test func `When the token is revoked, the stream ends`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            let token = try await installation.token("ann", "laptop")
            let reader = try await site.events(token, "kith/users/ann/groups")
            _ = try await eventually("the groups") { () -> Bool? in
                events(reader).isEmpty ? nil : true
            }
            try await installation.done("ann", "device.revoke", #"{"device":"laptop"}"#)
            _ = try await eventually("the end") { reader.ending }
            #expect(try await site.ask(token, "group.list").status == 401)
        }
    }

    @Test func `Events missed without a broker are announced by a reset`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ben = try await installation.token("ben")
            let topic = "kith/groups/\(group)/chat"
            let reader = try await site.events(ben, topic)
            try await installation.done("ann", "chat.send", #"{"group":"\#(group)","text":"one"}"#)
            let id = try await eventually("the first") { () -> String? in
                events(reader).contains { $0["payload"]["text"] == "one" } ? lastID(reader) : nil
            }
            try await installation.crashBroker()
            _ = try await eventually("a reset") { () -> Bool? in
                reader.lines.contains("event: reset") ? true : nil
            }
            await reader.kill()
            let again = try await site.events(
                ben, topic, arguments: ["-H", "Last-Event-ID: \(id)"])
            _ = try await eventually("a reset for who comes back") { () -> Bool? in
                again.lines.contains("event: reset") ? true : nil
            }
            await again.kill()
        }
    }

    @Test func `A reader that returns to a restarted page gets a reset`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            let ann = try await installation.token("ann")
            let reader = try await site.events(ann, "kith/users/ann/groups")
            let id = try await eventually("the groups") { lastID(reader) }
            await reader.kill()
            let restarted = try await Site(installation)
            let again = try await restarted.events(
                ann, "kith/users/ann/groups", arguments: ["-H", "Last-Event-ID: \(id)"])
            _ = try await eventually("the groups again") { lastID(again) }
            let lines = again.lines
            let reset = try #require(lines.firstIndex(of: "event: reset"), "\(lines)")
            let groups = try #require(lines.firstIndex { $0.hasPrefix("id: ") }, "\(lines)")
            #expect(reset < groups)
            await again.kill()
            await restarted.program.kill()
        }
    }

    @Test func `Readers do not delay the page's stop`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            let reader = try await site.events(
                try await installation.token("ann"), "kith/users/ann/groups")
            _ = try await eventually("the groups") { () -> Bool? in
                events(reader).isEmpty ? nil : true
            }
            kill(try #require(site.program.processIdentifier), SIGTERM)
            _ = try await eventually("the end") { site.program.ending }
            _ = try await eventually("the reader's end") { reader.ending }
        }
    }
}
