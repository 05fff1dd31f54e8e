import Browser
import Foundation
import TestSupport
import Testing

/// Installations where not everyone may create an account.
@Suite(.timeLimit(.minutes(3)))
struct RegistrationPageTests {
    @Test func `The page states that registration is by invitation, and the link works`()
        async throws
    {
        try await withWebsite(["KITH_ACCOUNTS_REGISTRATION": "invitation"]) { site in
            let group = try await site.installation.family("ann")
            let made = try await site.installation.done(
                "ann", "group.invite", #"{"group":"\#(group)"}"#)
            let token = try #require(made["token"].text)
            let stranger = try await site.open()
            try await stranger.sees("Accounts can only be created by invitation")
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
            try await page.sees("You are now in the group Family.")
        }
    }

    @Test func `The page states that the operator creates the accounts`() async throws {
        try await withWebsite(["KITH_ACCOUNTS_REGISTRATION": "closed"]) { site in
            let page = try await site.open()
            try await page.sees("Accounts are created by the operator of this server.")
            #expect(try await !page.has(.button("Create account")))
            try await page.shows(.button("Log in"))
        }
    }
}
