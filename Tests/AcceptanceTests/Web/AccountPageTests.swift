import Browser
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AccountPageTests {
    @Test func `A phone is added with all that its app needs, and logged out`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            try await site.installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let page = try await site.logIn("ann")
            try await page.visit("Me")
            try await page.click(.disclosure("Add my phone"))
            try await page.type(into: .field("Name of the phone"), "pixel")
            try await page.type(into: .field("Your password"), Website.password)
            try await page.click(.button("Add it"))
            try await page.sees("pixel was added")
            let link: String = try await page.evaluate(
                "document.querySelector('a[href^=\"owntracks:\"]').href")
            let text = try #require(link.split(separator: "=", maxSplits: 1).last)
            let data = try #require(
                Data(base64Encoded: text.removingPercentEncoding ?? String(text)))
            let configuration = JSON(parsing: String(decoding: data, as: UTF8.self))
            #expect(configuration["_type"] == "configuration")
            #expect(configuration["username"] == "ann")
            let token = try #require(configuration["password"].text)

            let phone = [
                "-p", "\(site.installation.port)", "-u", "ann", "-P", token, "-q", "1",
                "-t", "owntracks/ann/pixel", "-m",
                """
                {"_type":"location","lat":\(Place.latitude(60)),"lon":\(Place.longitude),"acc":5,\
                "tst":\(Int(Date().timeIntervalSince1970)),"tid":"an"}
                """,
            ]
            try await Program.succeed("mosquitto_pub", phone)
            try await ben.hears("where the phone is", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 60)
            }
            try await page.click(.button("Log out pixel"))
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("pixel was logged out")
            _ = try await eventually("a token that does not work") {
                try await Program.run("mosquitto_pub", phone).status == 0 ? nil : true
            }
        }
    }

    @Test func `An error is shown at its field, and valid input is kept`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            page.visitor.tolerate { $0.url.contains("/api/account.") }
            try await page.visit("Me")
            try await page.click(.disclosure("Change name or email"))
            try await page.type(into: .field("Email"), "nowhere")
            try await page.type(into: .field("First name"), "Annette")
            try await page.click(.button("Save"))
            try await page.shows(.css("input[name=email][aria-invalid=true]"))
            try await page.type(into: .field("Email"), "new@example.org")
            try await page.click(.button("Save"))
            try await page.sees("Saved.")
            _ = try await eventually("the new profile") {
                let profile = try await site.installation.done("ann", "account.get")
                return profile["email"] == "new@example.org" && profile["firstName"] == "Annette"
                    ? true : nil
            }
        }
    }

    @Test func `A new password logs out all other devices`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            let other = try await site.logIn("ann")
            try await page.visit("Me")
            try await page.click(.disclosure("Change password"))
            try await page.type(into: .field("Current password"), Website.password)
            try await page.type(into: .field("New password"), "another horse")
            try await page.click(.button("Change password"))
            try await page.sees("One other device was logged out.")
            other.visitor.tolerate { $0.source == .network }
            try await other.reload()
            try await other.shows(.field("User name or email"))
        }
    }

    @Test func `An account is deleted with a receipt`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.installation.publish(Topic.fix("ann"), fix(at: 0))
            let page = try await site.logIn("ann")
            page.visitor.tolerate { $0.source == .network }
            try await page.visit("Me")
            try await page.click(.disclosure("Delete my account"))
            try await page.type(into: .field("Your user name"), "ben")
            try await page.type(into: .field("Your password"), Website.password)
            try await page.click(.button("Delete everything"))
            try await page.sees("Wrong user name")
            try await page.type(into: .field("Your user name"), "ann")
            try await page.click(.button("Delete everything"))
            try await page.sees("Your account was deleted")
            try await page.sees("positions")
            try await page.click(.button("Close"))
            try await page.shows(.field("User name or email"))
            let profile = try await site.installation.kith("user", "list")
            #expect(!profile.contains("ann"))
        }
    }
}
