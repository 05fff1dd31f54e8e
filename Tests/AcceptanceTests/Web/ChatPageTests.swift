import Browser
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ChatPageTests {
    @Test func `Messages go both ways`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(as: .device("ben"), to: Topic.chat(group))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await site.installation.done(
                "ben", "chat.send", #"{"group":"\#(group)","text":"Dinner at seven?"}"#)
            // Counted as unread, because the chat is not visible.
            try await page.wait(
                for: "one unread message",
                "document.querySelector('nav a[href=\"#chat\"] .badge')?.textContent === '1'")
            try await page.visit("Chat")
            try await page.sees("Dinner at seven?")

            try await page.type(into: .field("Message"), "Yes.\nI bring the čaj ☕")
            try await page.press("Enter")
            try await ben.hears("Ann's answer", on: Topic.chat(group)) {
                $0["from"] == "ann" && $0["text"] == "Yes.\nI bring the čaj ☕"
            }
            try await page.wait(
                for: "an empty field", "document.querySelector('textarea').value === ''")
            try await page.type(into: .field("Message"), "one")
            try await page.press("Enter", shift: true)
            try await page.type("two")
            try await page.click(.button("Send"))
            try await ben.hears("two lines", on: Topic.chat(group)) { $0["text"] == "one\ntwo" }
            let written = ben.heard.filter {
                $0.json["from"] == "ann" && $0.json["kind"] == "message"
            }
            #expect(written.count == 2)
            try await page.wait(
                for: "two messages of her own",
                """
                document.querySelectorAll('.message[data-id][data-mine]').length === 2
                    && document.querySelectorAll('.message[data-mine]').length === 2
                """)
        }
    }

    @Test func `A message written offline is kept, and sent once when online`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(as: .device("ben"), to: Topic.chat(group))
            let page = try await site.logIn("ann")
            try await page.visit("Chat")
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            page.visitor.tolerate { $0.source == .network }
            try await page.visitor.setOffline(true)
            try await page.type(into: .field("Message"), "Are you there?")
            try await page.press("Enter")
            try await page.sees("Not sent.")
            #expect(ben.heard.allSatisfy { $0.json["kind"] != "message" })
            try await page.click(.button("Try again"))
            try await page.sees("Not sent.")
            try await page.visitor.setOffline(false)
            // By itself, or on the next tap.
            try await ben.hears("Ann's message", on: Topic.chat(group)) {
                $0["text"] == "Are you there?"
            }
            try await page.loses("Not sent.")
            #expect(ben.heard.count { $0.json["kind"] == "message" } == 1)
        }
    }

    @Test func `A message whose reply is lost is stored once`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.visit("Chat")
            page.visitor.tolerate { $0.source == .network }
            // The broker has it; no one answers.
            await site.installation.crash()
            try await page.type(into: .field("Message"), "Are you there?")
            try await page.press("Enter")
            try await page.sees("Not sent.", within: .seconds(40))
            try await site.installation.start()
            try await page.wait(for: "a message that is sent", within: .seconds(60)) {
                () -> Bool? in
                if try await page.has(.button("Try again")) {
                    try await page.run(
                        "[...document.querySelectorAll('.pending button')].at(-1)?.click()")
                }
                return try await page.evaluate("!document.querySelector('.pending')") ? true : nil
            }
            let history = try await site.installation.done(
                "ben", "chat.history", #"{"group":"\#(group)"}"#)
            let messages = history["messages"].elements.filter { $0["kind"] == "message" }
            #expect(messages.map { $0["text"] } == ["Are you there?"])
        }
    }

    @Test func `Older messages are loaded on scrolling up`() async throws {
        try await withWebsite { site in
            let others = ["ben", "cleo", "dora", "emil"]
            let group = try await site.family("ben", "cleo", "dora", "emil")
            for number in 1...60 {
                // At most ten messages a second are accepted from each.
                try await Task.sleep(for: .milliseconds(25))
                try await site.installation.done(
                    others[number % others.count], "chat.send",
                    #"{"group":"\#(group)","text":"Number \#(number)."}"#)
            }
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Chat")
            try await page.sees("Number 60.")
            try await page.wait(for: "the first one") { () -> Bool? in
                try await page.run("document.querySelector('.chat-scroll').scrollTop = 0")
                return try await page.evaluate("document.body.innerText.includes('Number 1.')")
                    ? true : nil
            }
            let shown: [String] = try await page.evaluate(
                "[...document.querySelectorAll('.message .bubble-text')].map(e => e.innerText)")
            #expect(shown == (1...60).map { "Number \($0)." })
        }
    }
}
