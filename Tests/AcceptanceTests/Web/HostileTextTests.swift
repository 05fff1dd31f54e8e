import Browser
import Foundation
import TestSupport
import Testing

/// Text that others have typed is only text: none of it runs as a script, so that the page's
/// policy has nothing to block. `withWebsite` fails if the policy was violated, an error was
/// logged, or an alert was shown.
@Suite(.timeLimit(.minutes(5)))
struct HostileTextTests {
    /// Texts typed by an attacker; at most 64 characters, the limit for names.
    private static let payloads = [
        "<img src=x onerror=hacked=1>", "\"><script>hacked=1</script>",
        "'-hacked_1-'<svg/onload=hacked=1>", "javascript:hacked=1", "${hacked=1}{{hacked=1}}",
        "</title></textarea><iframe srcdoc='<script>parent.hacked=1'>", "&lt;b&gt;&#39;",
    ]

    /// Tries all payloads at once: each attacker has a group with that name, and all are in the
    /// first one.
    @Test func `Text that others typed is only text on every view`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            let groups = try await forEach { try await lureAnn(into: $0, $1, site) }
            let users = HostileTextTests.payloads.indices.map { "mallory\($0)" }
            for user in users.dropFirst() {
                try await site.installation.kith("group", "add", groups[0], user)
            }
            let page = try await site.logIn("ann")
            try await page.choose(HostileTextTests.payloads[0], in: .field("Group"))
            // The texts arrive while she is looking; after the reload they come from storage.
            _ = try await forEach { try await beset($0, $1, groups[0], site) }
            try await visitEverything(page, users)
            try await page.reload()
            try await visitEverything(page, users)
            #expect(try await page.evaluate("typeof hacked") == "undefined")
        }
    }

    /// Runs `body` for each payload and its attacker, in order.
    private func forEach<Value: Sendable>(
        _ body: @escaping (_ payload: String, _ user: String) async throws -> Value
    ) async throws -> [Value] {
        var values: [Value] = []
        for (number, payload) in HostileTextTests.payloads.enumerated() {
            values.append(try await body(payload, "mallory\(number)"))
        }
        return values
    }

    /// Registers an attacker with this name, who has a group with the same name, with Ann in it.
    private func lureAnn(into payload: String, _ user: String, _ site: Website) async throws
        -> String
    {
        let half = payload.index(payload.startIndex, offsetBy: payload.count / 2)
        let reply = try await site.registering(
            user, String(payload[..<half]), String(payload[half...]))
        try #require(reply["result"]["user"].text == user, "\(reply)")
        let made = try await site.installation.done(
            user, "group.create", #"{"name":\#(Page.quoted(payload))}"#)
        #expect(made["name"].text == payload)
        let group = try #require(made["group"].text)
        try await site.installation.kith("group", "add", group, "ann")
        return group
    }

    /// Sends her everything that the attacker can.
    private func beset(_ payload: String, _ user: String, _ group: String, _ site: Website)
        async throws
    {
        let installation = site.installation
        let quoted = Page.quoted(payload)
        let destination =
            #"{"latitude":\#(Place.latitude(900)),"longitude":14.5,"name":\#(quoted)}"#
        try await installation.done(
            user, "journey.start",
            #"{"groups":"all","destination":\#(destination),"eta":"\#(time(in: 600))"}"#)
        try await installation.publish(Topic.fix(user), fix(at: 0))
        try await installation.done(user, "chat.send", #"{"group":"\#(group)","text":\#(quoted)}"#)
        try await installation.done(user, "friend.add", #"{"user":"ann"}"#)
        try await installation.done("ann", "friend.add", #"{"user":"\#(user)"}"#)
        try await installation.done(user, "friend.share", #"{"with":"all","fix":\#(fix(at: 10))}"#)
        let second = try await installation.done(user, "group.create", #"{"name":\#(quoted)}"#)[
            "group"]
        try await installation.done(
            user, "group.invite", #"{"group":"\#(try #require(second.text))","user":"ann"}"#)
        try await installation.done(user, "sos.trigger")
    }

    private func visitEverything(_ page: Page, _ users: [String]) async throws {
        let payloads = HostileTextTests.payloads
        try await page.visit("Map")
        for user in users { try await page.says("SOS", of: user) }
        // They are all on one spot.
        try await page.wait(
            for: "all of them in one crowd",
            "document.querySelector('.crowd-number')?.textContent === '\(users.count)'")
        try await page.run("document.querySelector('.crowd-button').click()")
        try await page.shows(.css(".person-marker[data-state=sos]"))
        try await page.sees("needs help")
        for payload in payloads.reversed() {
            try await page.choose(payload, in: .field("Group"))
            try await page.wait(
                for: "\(payload) over the list",
                "document.querySelector('.view-map h1').textContent === \(Page.quoted(payload))")
        }
        try await page.visit("Alerts")
        for payload in payloads { try await page.sees(payload) }
        try await page.visit("Chat")
        try await page.wait(
            for: "all of it in the chat",
            """
            [\(payloads.map(Page.quoted).joined(separator: ","))].every(text =>
                [...document.querySelectorAll('.message[data-id] .bubble-text')]
                    .some(e => e.textContent === text))
            """)
        try await page.visit("People")
        for user in users { try await page.sees(user) }
        for payload in payloads { try await page.sees("invited you to the group \(payload).") }
        try await page.visit("Me")
        try await page.run("location.hash = '#group'")
        for payload in payloads { try await page.sees(payload) }
        let foreign: Int = try await page.evaluate(
            """
            document.querySelectorAll(
                'img[src=x], script:not([src]), iframe, svg[onload], [onerror]').length
            """)
        #expect(foreign == 0)
    }

    @Test func `Text from the address or the server is only text`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            let page = try await site.open()
            page.visitor.tolerate { $0.source == .network }
            for payload in HostileTextTests.payloads {
                try await page.run("location.hash = \(Page.quoted(payload))")
                try await page.reload()
                try await page.type(into: .field("User name or email"), payload)
                try await page.type(into: .field("Password"), payload)
                try await page.click(.button("Log in"))
                try await page.shows(.css("form [role=alert]:not(:empty)"))
                try await page.click(.button("Create account"))
                for field in ["User name", "First name", "Last name", "Email", "Password"] {
                    try await page.type(into: .field(field), payload)
                }
                try await page.click(.button("Create account"))
                try await page.shows(.css("input[aria-invalid=true]"))
            }
            try await page.reload()
            try await site.logIn("ann", on: page)
            for payload in HostileTextTests.payloads {
                for place in [
                    "map/", "chat/", "people/", "me/", "constructor/", "__proto__", "invitation/",
                ] {
                    try await page.run("location.hash = \(Page.quoted("#" + place + payload))")
                    try await page.shows(.link("Chat"))
                }
                // The user's own texts are no different.
                try await page.run("location.hash = '#group'")
                try await page.type(into: .field("Name of the new group"), payload)
                try await page.click(.button("Make a group"))
                try await page.sees("\(payload) is ready.")
                try await page.visit("Chat")
                try await page.type(into: .field("Message"), payload)
                try await page.press("Enter")
                try await page.wait(
                    for: "the message",
                    """
                    [...document.querySelectorAll('.message[data-id] .bubble-text')]
                        .some(e => e.textContent === \(Page.quoted(payload)))
                    """)
            }
            #expect(try await page.evaluate("typeof hacked") == "undefined")
        }
    }
}
