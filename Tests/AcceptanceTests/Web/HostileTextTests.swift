import Browser
import Foundation
import Testing

/// Whatever others have typed is shown as text: no script of theirs runs, and the page's policy
/// need not even stop it.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct HostileTextTests {
    /// What an attacker types; at most 64 characters, as names are.
    static let payloads = [
        "<img src=x onerror=hacked=1>", "\"><script>hacked=1</script>",
        "'-hacked_1-'<svg/onload=hacked=1>", "javascript:hacked=1", "${hacked=1}{{hacked=1}}",
        "</title></textarea><iframe srcdoc='<script>parent.hacked=1'>", "&lt;b&gt;&#39;",
    ]

    @Test(arguments: payloads)
    func `What others typed is text on every view`(_ payload: String) async throws {
        try await withWebsite { site in
            try await site.register("ann")
            let name = try JSON(
                parsing: String(
                    decoding: JSONEncoder().encode([payload]), as: UTF8.self))
            let quoted = Page.quoted(payload)
            // Mallory's own name, half of it first name.
            let half = payload.index(payload.startIndex, offsetBy: payload.count / 2)
            let reply = try await site.registering(
                "mallory", String(payload[..<half]), String(payload[half...]))
            try #require(reply["result"]["user"].text == "mallory", "\(reply)")
            let house = site.house
            let made = try await house.done("mallory", "group.create", #"{"name":\#(quoted)}"#)
            let group = try #require(made["group"].text)
            #expect(made["name"] == name.elements[0])
            try await house.done("mallory", "group.add", #"{"group":"\#(group)","user":"ann"}"#)
            let page = try await site.logIn("ann")
            try await page.sees(payload)

            // While Ann looks, and before: what was kept is shown as what comes.
            let destination =
                #"{"latitude":\#(Place.latitude(900)),"longitude":14.5,"name":\#(quoted)}"#
            try await house.done(
                "mallory", "journey.start",
                #"{"groups":"all","destination":\#(destination),"eta":"\#(time(in: 600))"}"#)
            try await house.publish(Topic.fix("mallory"), fix(at: 0))
            try await page.says(payload, of: "mallory")
            try await page.shows(.css(".flag-marker"))
            try await house.done(
                "mallory", "chat.send", #"{"group":"\#(group)","text":\#(quoted)}"#)
            try await house.done("mallory", "friend.add", #"{"user":"ann"}"#)
            try await house.done("ann", "friend.add", #"{"user":"mallory"}"#)
            try await house.done(
                "mallory", "friend.share", #"{"with":"all","fix":\#(fix(at: 10))}"#)
            try await house.done("mallory", "sos.trigger")
            try await page.sees("needs help")
            try await visitEverything(page, payload)
            try await page.reload()
            try await page.sees("needs help")
            try await visitEverything(page, payload)
            #expect(try await page.evaluate("typeof hacked") == "undefined")
            // `withWebsite` sees to the rest: no violation of the policy, no error, no alert.
        }
    }

    private func visitEverything(_ page: Page, _ payload: String) async throws {
        for view in ["Map", "Alerts", "Chat", "People", "Me"] {
            try await page.visit(view)
            // Her name, with the space between its halves.
            if view == "Chat" { try await page.sees(payload) }
            if view == "People" { try await page.sees("mallory") }
        }
        try await page.run("location.hash = '#group'")
        try await page.sees(payload)
        let foreign: Int = try await page.evaluate(
            """
            document.querySelectorAll(
                'img[src=x], script:not([src]), iframe, svg[onload], [onerror]').length
            """)
        #expect(foreign == 0)
    }

    @Test(arguments: payloads)
    func `What stands in the address or comes back from the server is text`(_ payload: String)
        async throws
    {
        try await withWebsite { site in
            try await site.register("ann")
            let page = try await site.open(at: "#\(payload)")
            page.visitor.tolerate { $0.source == .network }
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
            try await page.reload()
            try await site.logIn("ann", on: page)
            for place in ["map/", "chat/", "people/", "me/", "", "constructor/", "__proto__"] {
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
            #expect(try await page.evaluate("typeof hacked") == "undefined")
        }
    }
}
