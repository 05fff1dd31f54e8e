import Browser
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct InvitationPageTests {
    private let fits = "document.documentElement.scrollWidth <= window.innerWidth"

    /// Makes a link on the page and returns it.
    private func link(on page: Page) async throws -> String {
        try await page.click(.link("Manage groups"))
        try await page.click(.disclosure("Invite"))
        try await page.click(.button("Make a link"))
        try await page.shows(.css(".link-box .qr path"))
        return try await page.evaluate("document.querySelector('.link-box input').value")
    }

    @Test func `A new user opens a link on a phone, registers and is in the group`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let ann = try await site.logIn("ann", width: 360, height: 740)
            let link = try await link(on: ann)
            #expect(link.hasPrefix("\(site.address)#/invitation/"))
            try await ann.picture("link")
            let token = try #require(link.split(separator: "/").last)
            try await ann.sees("Link for one person")
            try await ann.wait(for: "a page that fits", fits)

            let hash = try #require(link.split(separator: "#").last)
            let page = try await site.open(width: 360, height: 740, at: "#\(hash)")
            try await page.sees("Ann Lake invites you to the group Family, with 2 people in it.")
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("invited")
            try await page.type(into: .field("User name"), "cleo")
            try await page.type(into: .field("First name"), "Cleo")
            try await page.type(into: .field("Last name"), "Moss")
            try await page.type(into: .field("Email"), "cleo@example.org")
            try await page.type(into: .field("Password"), Website.password)
            try await page.click(.toggle("I agree"))
            try await page.click(.button("Create account and join"))
            try await page.sees("You are now in the group Family.")
            let groups = try await site.installation.done("cleo", "group.list")["groups"].elements
            #expect(groups.map(\.["name"]) == ["Family"])
            let address: String = try await page.evaluate("location.href")
            #expect(!address.contains(token))

            // It worked once.
            let late = try await site.open(width: 360, height: 740, at: "#\(hash)")
            late.visitor.tolerate { $0.url.hasSuffix("invitation.get") }
            try await late.sees("It has been used. Ask for a new one.")
            try await late.shows(.button("Log in"))
            try await ann.visit("People")
            try await ann.sees("Cleo Moss has accepted your invitation to the group Family.")
            try await ann.picture("accepted")
        }
    }

    @Test func `A logged-in user joins with one press, and a revoked link is reported`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.register("cleo")
            let ann = try await site.logIn("ann")
            let link = try await link(on: ann)
            let hash = try #require(link.split(separator: "#").last)
            let cleo = try await site.logIn("cleo", width: 360, height: 740)
            try await cleo.run("location.hash = '#\(hash)'")
            try await cleo.sees("Ann Lake invites you to the group Family")
            try await cleo.picture("join")
            try await ann.click(.button("Revoke the link"))
            try await ann.sees("That invitation can no longer be used.")
            cleo.visitor.tolerate { $0.url.hasSuffix("invitation.accept") }
            try await cleo.click(.button("Join Family"))
            try await cleo.sees("It has been withdrawn. Ask for a new one.")

            try await ann.click(.button("Make a link"))
            try await ann.wait(
                for: "another link",
                "document.querySelector('.link-box input').value !== \(Page.quoted(link))")
            let other: String = try await ann.evaluate(
                "document.querySelector('.link-box input').value")
            let second = try #require(other.split(separator: "#").last)
            try await cleo.run("location.hash = '#\(second)'")
            try await cleo.click(.button("Join Family"))
            try await cleo.sees("You are now in the group Family.")
            try await cleo.wait(for: "the map", "location.hash === '#map'")
        }
    }

    @Test func `An invitation is answered from its notice`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.register("cleo")
            let ann = try await site.logIn("ann")
            try await ann.click(.link("Manage groups"))
            try await ann.click(.disclosure("Invite"))
            for user in ["cleo", "nobody"] {
                try await ann.type(into: .field("Invite by user name"), user)
                try await ann.press("Enter")
                try await ann.sees("If the user \(user) exists, they will be asked.")
            }
            let cleo = try await site.logIn("cleo", width: 360, height: 740)
            try await cleo.visit("People")
            try await cleo.sees("Ann Lake invited you to the group Family.")
            try await cleo.picture("news")
            try await cleo.click(.button("Join Family"))
            try await cleo.sees("You are now in the group Family.")
            try await cleo.wait(
                for: "no button", "!document.querySelector('.notice button')")

            // The page's pending requests about the group that it has just joined are then refused.
            cleo.visitor.tolerate { $0.source == .network && $0.text.contains("403") }
            try await site.installation.done("cleo", "group.leave", #"{"group":"\#(group)"}"#)
            try await site.installation.done(
                "ben", "group.add", #"{"group":"\#(group)","user":"cleo"}"#)
            try await cleo.sees("Ben invited you to the group Family.")
            try await cleo.click(.button("Decline Family"))
            try await cleo.sees("Declined. No one is notified.")
            let groups = try await site.installation.done("cleo", "group.list")["groups"].elements
            #expect(groups.isEmpty)
        }
    }

    @Test func `The page sets who may add me without asking`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.register("cleo")
            try await site.installation.done("cleo", "friend.add", #"{"user":"ben"}"#)
            let cleo = try await site.logIn("cleo", width: 360, height: 740)
            try await cleo.visit("Me")
            try await cleo.choose(
                "No one: always ask me", in: .field("Who may add me to a group"))
            try await cleo.sees("Saved.")
            let add = #"{"group":"\#(group)","user":"cleo"}"#
            let answer = try await site.installation.done("ben", "group.add", add)
            #expect(answer["invited"] == true)
        }
    }
}
