import Browser
import Foundation
import TestSupport
import Testing

/// The scenarios of third parties, as people and companies meet them: the page, a company's program, a
/// wearable. Those about many people at once (S4, U7, U9) are in `CohortsTests` and `CompanyPageTests`.
@Suite(.timeLimit(.minutes(3)))
struct ThirdPartyScenarioTests {
    private static let settings = ["KITH_SERVICES_SECOND_FACTOR": "false"]

    private func fill(_ page: Page, _ values: (field: String, value: String)...) async throws {
        for (field, value) in values { try await page.type(into: .field(field), value) }
    }

    @Test func `S1, U1, U3: Dante signs up, sees his mistakes and logs in`() async throws {
        try await withWebsite { site in
            try await site.register("beatrice")
            let page = try await site.open(width: 360, height: 740)
            page.visitor.tolerate { $0.url.contains("/api/account.") }
            page.visitor.tolerate { $0.url.hasSuffix("/session") }
            try await page.click(.button("Create account"))
            // Not all fields, a short password, an address that is taken, terms not accepted.
            try await fill(
                page, ("User name", "dante"), ("Email", "beatrice@example.org"),
                ("Password", "dante"))
            try await page.click(.button("Create account"))
            try await page.shows(.css("input[name=firstName][aria-invalid=true]"))
            try await page.shows(.css("input[name=acceptTerms][aria-invalid=true]"))
            try await page.sees("Must have at least 8 characters")
            try await fill(
                page, ("First name", "Dante"), ("Last name", "Alighieri"),
                ("Password", "nel mezzo del cammin"))
            try await page.click(.toggle("I agree that this server stores"))
            try await page.click(.button("Create account"))
            try await page.shows(.css("input[name=email][aria-invalid=true]"))
            try await fill(page, ("Email", "dante@example.org"))
            try await page.click(.button("Create account"))
            try await page.shows(.link("Chat"))
            // Logged out, a wrong name and a wrong password, then logged in by the address.
            try await page.visit("Me")
            try await page.click(.button("Log out"))
            for (login, password) in [
                ("nobody", "nel mezzo del cammin"), ("dante", "di nostra vita"),
            ] {
                try await fill(page, ("User name or email", login), ("Password", password))
                try await page.click(.button("Log in"))
                try await page.shows(.css("form [role=alert]:not(:empty)"))
            }
            try await fill(
                page, ("User name or email", "dante@example.org"),
                ("Password", "nel mezzo del cammin"))
            try await page.click(.button("Log in"))
            try await page.shows(.link("Chat"))
        }
    }

    @Test func `S2, U2, U4: YourHealth signs up, and its service is available to everyone`()
        async throws
    {
        try await withWebsite(ThirdPartyScenarioTests.settings) { site in
            try await site.register("dante")
            let page = try await site.open()
            page.visitor.tolerate { $0.url.contains("/api/thirdparty.register") }
            page.visitor.tolerate { $0.url.hasSuffix("/session") }
            try await page.click(.button("For companies"))
            try await fill(
                page, ("Company", "YourHealth"), ("User name", "dante"),
                ("Email", "dante@example.org"), ("Password", "short"))
            try await page.click(.button("Create company account"))
            try await page.shows(.css("input[name=acceptTerms][aria-invalid=true]"))
            try await page.sees("Must have at least 8 characters")
            try await fill(page, ("Password", "correct horse acme"))
            try await page.click(.toggle("We use people's data"))
            try await page.click(.button("Create company account"))
            try await page.shows(.css("input[name=username][aria-invalid=true]"))
            try await fill(
                page, ("User name", "yourhealth"), ("Email", "office@yourhealth.example"))
            try await page.click(.button("Create company account"))
            try await page.sees("yourhealth is a company account.")
            try await page.click(.disclosure("New service"))
            try await fill(
                page, ("Name for programs", "myheart"), ("Name for people", "MyHeart"),
                ("How it uses people's data", "Draws your heart rate, day by day."))
            try await page.click(.button("Make the service"))
            try await page.sees("The token of myheart.")
            let found = try await site.installation.done("dante", "service.discover")["services"]
            #expect(found.elements.map { $0["name"].text } == ["MyHeart"])
            try await page.click(.button("Log out"))
            try await fill(
                page, ("User name or email", "office@yourhealth.example"),
                ("Password", "wrong horse acme"))
            try await page.click(.button("Log in"))
            try await page.shows(.css("form [role=alert]:not(:empty)"))
            try await fill(page, ("Password", "correct horse acme"))
            try await page.click(.button("Log in"))
            try await page.sees("yourhealth is a company account.")
        }
    }

    @Test func `S3, S5, S6, U8, U10, U11: Dante adds MyHeart, sees its chart and removes it`()
        async throws
    {
        try await withWebsite(ThirdPartyScenarioTests.settings) { site in
            let installation = site.installation
            try await site.register("dante")
            try await installation.makeService("myheart")
            try await installation.done("dante", "vitals.consent")
            let vitals = "kith/users/dante/devices/watch/vitals"
            func beat(_ rate: Int) async throws {
                let now = Int(Date.now.timeIntervalSince1970 * 1000)
                try await installation.publish(
                    vitals, #"{"timestamp":\#(now),"heartRate":\#(rate)}"#)
            }
            try await beat(71)
            let page = try await site.logIn("dante", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("Services"))
            try await page.click(.button("Find a service"))
            // At first he does not agree, and nothing is added.
            for answer in [".button:not(.primary)", ".primary"] {
                try await page.click(.button("Add"))
                try await page.sees("Give myheart access to your data?")
                try await page.click(.css("dialog[open] \(answer)"))
                if answer == ".primary" { break }
                try await page.sees("No service has access to your data.")
                #expect(
                    try await installation.done("dante", "consent.list")["services"].elements
                        .isEmpty)
            }
            try await page.sees(
                "It has had access to where you are and have been, and your vital signs")
            let credentials = try await installation.credentials(.service("myheart"))
            let token = try #require(credentials.firstIndex(of: "-P").map { credentials[$0 + 1] })
            let program = Document.project + "/tools/heart-rate-service"
            let heart = RunningProgram(
                "bash",
                [
                    "-c",
                    "cd '\(installation.directory)' && exec '\(program)' myheart '\(token)' dante",
                ],
                environment: ["PORT": "\(installation.port)"])
            func drawn(_ count: Int) async throws {
                _ = try await eventually("\(count) heart rates: \(heart.lines)") {
                    heart.lines.contains { $0.hasPrefix("\(count) heart rates") } ? true : nil
                }
            }
            try await drawn(1)
            // Day by day: new data arrives by itself, once he has also agreed to that.
            _ = try await eventually("its question: \(heart.lines)") {
                heart.lines.contains("dante, as it comes: pending") ? true : nil
            }
            try await page.click(.button("Send it new data"))
            try await page.click(.css("dialog[open] .primary"))
            try await page.sees("It receives new data immediately.")
            try await beat(88)
            try await drawn(2)
            let picture = installation.directory + "/dante.svg"
            #expect(FileManager.default.fileExists(atPath: picture))
            try await page.click(.button("Revoke access"))
            try await page.sees("No service has access to your data.")
            _ = try await eventually("its end: \(heart.lines)") { heart.ending }
            #expect(heart.lines.last == "deleted")
            #expect(!FileManager.default.fileExists(atPath: picture))
            let read = try await installation.askAsService(
                "myheart", "data.get", #"{"user":"dante"}"#)
            #expect(read["problem"]["type"] == "urn:kith:problem:no-consent")
        }
    }

    @Test func `U5: Impossible, unauthenticated and other users' values are discarded`()
        async throws
    {
        try await withInstallation { installation in
            _ = try await installation.family("dante", "virgil")
            try await installation.start()
            try await installation.done("dante", "vitals.consent")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            let good = #"{"timestamp":\#(now),"heartRate":70}"#
            let phone = try await installation.phone(of: "dante")
            try await installation.publish(
                "kith/users/dante/devices/phone/vitals", #"{"timestamp":\#(now),"heartRate":900}"#)
            try await phone.hears("why not", on: Topic.device("dante") + "/rejected") {
                $0["problem"]["type"] == "urn:kith:problem:invalid"
            }
            // Virgil's phone, and a client with a wrong token, claim to be Dante's.
            let topic = "kith/users/dante/devices/phone/vitals"
            for credentials in [
                try await installation.credentials(.device("virgil")),
                ["-p", "\(installation.port)", "-u", "dante", "-P", "dante.phone.wrong"],
            ] {
                _ = try await Program.run(
                    "mosquitto_pub", credentials + ["-V", "5", "-q", "1", "-t", topic, "-m", good])
            }
            #expect(try await installation.done("dante", "vitals.list")["vitals"].elements.isEmpty)
            try await installation.publish(topic, good)
            _ = try await eventually("what is right") {
                try await installation.done("dante", "vitals.list")["vitals"].elements.count == 1
                    ? true : nil
            }
        }
    }

    @Test func `U6: A refused service gets nothing and cannot ask a third time`() async throws {
        try await withInstallation(ThirdPartyScenarioTests.settings) { installation in
            _ = try await installation.family("dante")
            try await installation.start()
            try await installation.makeService("trackker")
            func ask() async throws -> JSON {
                try await installation.askAsService(
                    "trackker", "data.request", #"{"user":"dante","reason":"To know."}"#)
            }
            for _ in 1...2 {
                #expect(try await ask()["result"]["state"] == "pending")
                let requests = try await installation.done("dante", "consent.list")["requests"]
                    .elements
                let request = try #require(requests.first?["request"].text)
                try await installation.done(
                    "dante", "consent.answer", #"{"request":"\#(request)","allow":false}"#)
                let read = try await installation.askAsService(
                    "trackker", "data.get", #"{"user":"dante"}"#)
                #expect(read["problem"]["type"] == "urn:kith:problem:no-consent")
            }
            _ = try await ask()
            #expect(
                try await installation.done("dante", "consent.list")["requests"].elements.isEmpty)
        }
    }
}
