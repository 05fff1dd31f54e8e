import Browser
import Foundation
import TestJSON
import Testing

/// Whatever others have typed is shown as text: no script of theirs runs, and the page's policy
/// need not even stop it. `withWebsite` fails where the policy was violated, where an error was
/// logged, or an alert shown.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileTextTests {
    /// What an attacker types; at most 64 characters, as names are.
    private static let payloads = [
        "<img src=x onerror=hacked=1>", "\"><script>hacked=1</script>",
        "'-hacked_1-'<svg/onload=hacked=1>", "javascript:hacked=1", "${hacked=1}{{hacked=1}}",
        "</title></textarea><iframe srcdoc='<script>parent.hacked=1'>", "&lt;b&gt;&#39;",
    ]

    @Test func `What others typed is text on every view`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            var groups: [String] = []
            for (number, payload) in HostileTextTests.payloads.enumerated() {
                groups.append(try await lureAnn(into: payload, "mallory\(number)", site))
            }
            let page = try await site.logIn("ann")
            for (number, payload) in HostileTextTests.payloads.enumerated() {
                // Some of it comes while she looks, some was kept.
                if number == 4 { try await page.reload() }
                try await beset(payload, "mallory\(number)", groups[number], site)
                if number < 4 { try await visitEverything(page, payload, "mallory\(number)") }
            }
            try await page.reload()
            for (number, payload) in HostileTextTests.payloads.enumerated() where number >= 4 {
                try await visitEverything(page, payload, "mallory\(number)")
            }
            #expect(try await page.evaluate("typeof hacked") == "undefined")
        }
    }

    /// Somebody called so has a group called so, with Ann in it.
    private func lureAnn(into payload: String, _ user: String, _ site: Website) async throws
        -> String
    {
        let half = payload.index(payload.startIndex, offsetBy: payload.count / 2)
        let reply = try await site.registering(
            user, String(payload[..<half]), String(payload[half...]))
        try #require(reply["result"]["user"].text == user, "\(reply)")
        let made = try await site.house.done(
            user, "group.create", #"{"name":\#(Page.quoted(payload))}"#)
        #expect(made["name"].text == payload)
        let group = try #require(made["group"].text)
        try await site.house.done(user, "group.add", #"{"group":"\#(group)","user":"ann"}"#)
        return group
    }

    /// Everything that they can send her.
    private func beset(_ payload: String, _ user: String, _ group: String, _ site: Website)
        async throws
    {
        let house = site.house
        let quoted = Page.quoted(payload)
        let destination =
            #"{"latitude":\#(Place.latitude(900)),"longitude":14.5,"name":\#(quoted)}"#
        try await house.done(
            user, "journey.start",
            #"{"groups":"all","destination":\#(destination),"eta":"\#(time(in: 600))"}"#)
        try await house.publish(Topic.fix(user), fix(at: 0))
        try await house.done(user, "chat.send", #"{"group":"\#(group)","text":\#(quoted)}"#)
        try await house.done(user, "friend.add", #"{"user":"ann"}"#)
        try await house.done("ann", "friend.add", #"{"user":"\#(user)"}"#)
        try await house.done(user, "friend.share", #"{"with":"all","fix":\#(fix(at: 10))}"#)
        try await house.done(user, "sos.trigger")
    }

    private func visitEverything(_ page: Page, _ payload: String, _ user: String) async throws {
        try await page.visit("Map")
        try await page.choose(payload, in: .field("Group"))
        try await page.says("SOS", of: user)
        try await page.shows(.css(".person-marker[data-state=sos]"))
        try await page.sees("needs help")
        try await page.visit("Alerts")
        try await page.sees(payload)
        try await page.visit("Chat")
        try await page.wait(
            for: "\(payload) in the chat",
            """
            [...document.querySelectorAll('.message[data-id] .bubble-text')]
                .some(e => e.textContent === \(Page.quoted(payload)))
            """)
        try await page.visit("People")
        try await page.sees(user)
        try await page.visit("Me")
        try await page.run("location.hash = '#group'")
        try await page.sees(payload)
        let foreign: Int = try await page.evaluate(
            """
            document.querySelectorAll(
                'img[src=x], script:not([src]), iframe, svg[onload], [onerror]').length
            """)
        #expect(foreign == 0)
    }

    @Test func `What stands in the address or comes back from the server is text`() async throws {
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
                try await page.click(.button("Make an account"))
                for field in ["User name", "First name", "Last name", "Email", "Password"] {
                    try await page.type(into: .field(field), payload)
                }
                try await page.click(.button("Register"))
                try await page.shows(.css("input[aria-invalid=true]"))
            }
            try await page.reload()
            try await site.logIn("ann", on: page)
            for payload in HostileTextTests.payloads {
                for place in ["map/", "chat/", "people/", "me/", "constructor/", "__proto__"] {
                    try await page.run("location.hash = \(Page.quoted("#" + place + payload))")
                    try await page.shows(.link("Chat"))
                }
                // One's own texts are no different.
                try await page.run("location.hash = '#group'")
                try await page.type(into: .field("Name of the new group"), payload)
                try await page.click(.button("Make a group"))
                try await page.sees("\(payload) is there.")
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
