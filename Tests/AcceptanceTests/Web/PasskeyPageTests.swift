import Browser
import Foundation
import TestSupport
import Testing

/// Passkeys in a real browser, with an authenticator of its own.
@Suite(.timeLimit(.minutes(3)))
struct PasskeyPageTests {
    @Test func `A passkey is added, logs in on a phone, and is removed`() async throws {
        try await withWebsite(hasName: true) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            page.visitor.tolerate { $0.source == .network }
            let keys = try await page.plugIn()
            try await page.visit("Me")
            try await page.click(.disclosure("Passkeys"))
            try await page.click(.button("Add a passkey"))
            try await page.type(into: .field("Passkey name"), "My key")
            let password = Element.css("details[open] input[name=password]")
            try await page.type(into: password, "wrong horse")
            try await page.click(.button("Save passkey"))
            try await page.sees("Wrong password")
            try await page.type(into: password, Website.password)
            try await page.click(.button("Save passkey"))
            try await page.sees("You can now log in with My key.")
            try await page.sees("not used yet")
            // The browser knows that this authenticator has one.
            try await page.click(.button("Add a passkey"))
            try await page.sees("This device already has a passkey of yours.")

            let phone = try await site.open(width: 360, height: 740)
            phone.visitor.tolerate { $0.source == .network }
            let copy = try await phone.plugIn()
            try await phone.sync(from: page, keys, to: copy)
            try await phone.click(.button("Log in with a passkey"))
            try await phone.shows(.link("Chat"))
            try await phone.visit("Me")
            try await phone.click(.disclosure("Passkeys"))
            try await phone.sees("last used just now")

            try await page.click(.button("Remove the passkey My key"))
            try await page.type(into: password, Website.password)
            try await page.click(.button("Remove My key"))
            try await page.sees("My key was removed.")
            let late = try await site.open()
            late.visitor.tolerate { $0.source == .network }
            try await late.sync(from: phone, copy, to: try await late.plugIn())
            try await late.click(.button("Log in with a passkey"))
            try await late.sees("This passkey is not accepted here")
        }
    }

    @Test func `A page without a host name offers no passkeys`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.open()
            #expect(try await page.has(.button("Log in with a passkey")) == false)
            try await site.logIn("ann", on: page)
            try await page.visit("Me")
            try await page.click(.disclosure("Passkeys"))
            try await page.sees("There are none here")
            #expect(try await page.has(.button("Add a passkey")) == false)
        }
    }
}
