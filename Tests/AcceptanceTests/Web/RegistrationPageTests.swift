import Browser
import Foundation
import TestJSON
import Testing

/// Where not everybody may create an account.
@Suite(.timeLimit(.minutes(3)))
struct RegistrationPageTests {
    @Test func `Where only who is invited may register, the page says so, and the link leads in`()
        async throws
    {
        try await withWebsite(["KITH_ACCOUNTS_REGISTRATION": "invitation"]) { site in
            let group = try await site.installation.family("ann")
            let made = try await site.installation.done(
                "ann", "group.invite", #"{"group":"\#(group)"}"#)
            let token = try #require(made["token"].text)
            let stranger = try await site.open()
            try await stranger.sees("Only who is invited can create an account")
            #expect(try await !stranger.has(.button("Create account")))
            #expect(try await !stranger.has(.button("For companies")))
            let refused = try await site.registering("eve", "Eve", "Lake")
            #expect(refused["problem"]["type"] == "urn:kith:problem:registration-closed")

            let page = try await site.open(width: 360, height: 740, at: "#/invitation/\(token)")
            try await page.type(into: .field("User name"), "cleo")
            try await page.type(into: .field("First name"), "Cleo")
            try await page.type(into: .field("Last name"), "Moss")
            try await page.type(into: .field("Email"), "cleo@example.org")
            try await page.type(into: .field("Password"), Website.password)
            try await page.click(.toggle("I agree"))
            try await page.click(.button("Create account and join"))
            try await page.sees("You are in the group Family now.")
        }
    }

    @Test func `Where the operator makes the accounts, the page says so`() async throws {
        try await withWebsite(["KITH_ACCOUNTS_REGISTRATION": "closed"]) { site in
            let page = try await site.open()
            try await page.sees("Accounts are made by whoever runs this server.")
            #expect(try await !page.has(.button("Create account")))
            try await page.shows(.button("Log in"))
        }
    }
}
