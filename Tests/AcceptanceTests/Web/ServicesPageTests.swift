import Browser
import Foundation
import TestSupport
import Testing

/// The card about services.
@Suite(.timeLimit(.minutes(2)))
struct ServicesPageTests {
    @Test func `A user grants a request, sees what was read and withdraws it`() async throws {
        try await withWebsite(["KITH_SERVICES_SECOND_FACTOR": "false"]) { site in
            _ = try await site.family("ben")
            for name in ["myheart", "mysteps"] { try await site.installation.makeService(name) }
            let asked = try await site.installation.askAsService(
                "myheart", "data.request", #"{"user":"ann","reason":"To draw your heart."}"#)
            #expect(asked["result"]["state"] == "pending")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("Services"))
            try await page.sees("To draw your heart.")
            try await page.sees("No service has access to your data.")
            try await page.picture("services-request-360")
            try await page.click(.button("Allow"))
            try await page.sees(
                "It has had access to where you are and have been, and your vital signs")
            let read = try await site.installation.askAsService(
                "myheart", "data.get", #"{"user":"ann"}"#)
            #expect(read["result"]["samples"].elements.isEmpty)
            try await page.click(.button("Find a service"))
            try await page.sees("It wants where you are")
            let others = "[aria-label='Services to add'] li"
            #expect(try await page.has(.css("\(others)")))
            #expect(try await !page.has(.css("\(others):nth-child(2)")))
            try await page.click(.button("Who accessed my data"))
            try await page.sees("myheart (Acme) read 0 values")
            // New data is another request, with its own button.
            let comes = try await site.installation.askAsService(
                "myheart", "data.subscribe", #"{"user":"ann"}"#)
            #expect(comes["result"]["state"] == "pending")
            try await page.click(.button("Send it new data"))
            try await page.click(.css("dialog[open] .primary"))
            try await page.sees("It receives new data immediately.")
            try await page.click(.button("Allow reading only"))
            try await page.sees("It may read, but is sent nothing.")
            try await site.installation.done(
                "acme", "service.update",
                #"{"service":"myheart","address":"https://heart.example.org/"}"#)
            try await page.picture("services-360")
            try await page.click(.button("Revoke access"))
            try await page.sees("No service has access to your data.")
            let denied = try await site.installation.askAsService(
                "myheart", "data.get", #"{"user":"ann"}"#)
            #expect(denied["problem"]["type"] == "urn:kith:problem:no-consent")
        }
    }
}
