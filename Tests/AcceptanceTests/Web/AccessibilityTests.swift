import Browser
import Foundation
import TestBroker
import Testing

/// axe-core (https://github.com/dequelabs/axe-core) finds nothing on any view of the page, in light
/// and dark colours, on a phone, and written from the right.
@Suite(
    .timeLimit(.minutes(6)),
    .enabled(
        if: ProcessInfo.processInfo.environment["KITH_WITHOUT_AXE"] == nil,
        "tools/test could not fetch axe-core"))
struct AccessibilityTests {
    private static let views = [
        "map", "alerts", "chat", "people", "group", "places", "places/own", "me",
    ]

    /// axe-core itself, as a script.
    private static func script() async throws -> String {
        let tool =
            (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
                url.deletingLastPathComponent()
            }.path + "/tools/axe"
        let path = try await Program.succeed(tool, [])
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The faults of the current view, a line each.
    private func findings(on page: Page, _ place: String) async throws -> [String] {
        // Colours that change, change until then.
        try await page.wait(
            for: "no animation",
            "document.getAnimations().every((each) => each.playState !== 'running')")
        let found: [String] = try await page.evaluate(
            """
            axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
                violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) =>
                    `${id}: ${help}: ${target.join(" ")}`)))
            """)
        return found.map { "\(place): \($0)" }
    }

    private func findings(
        onEachViewOf page: Page, _ surroundings: String, _ script: String
    ) async throws -> [String] {
        try await page.run(script)
        var all: [String] = []
        for view in AccessibilityTests.views {
            try await page.run("location.hash = '#\(view)'")
            try await page.wait(
                for: "the view \(view)",
                """
                document.querySelector('.shell').dataset.view === '\(view.split(separator: "/")[0])'
                    && document.querySelector('.view:not([hidden]) h1')
                """)
            try await page.picture("axe-\(surroundings)-\(view.replacing("/", with: "-"))")
            all += try await findings(on: page, "\(surroundings), \(view)")
        }
        return all
    }

    /// The form that lets a program see a group, and what is shown once.
    private func findings(ofProgramOn page: Page) async throws -> [String] {
        try await page.run("location.hash = '#group'")
        try await page.click(.disclosure("Let a program see this group"))
        try await page.type(into: .field("Program name"), "Display")
        try await page.click(.button("Let it see the group"))
        try await page.click(.disclosure("Home Assistant"))
        try await page.click(.disclosure("Another MQTT program"))
        return try await findings(on: page, "a program")
    }

    @Test func `The main views have no accessibility faults`() async throws {
        let script = try await AccessibilityTests.script()
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0, #","battery":73"#))
            try await site.installation.done(
                "ben", "chat.send", #"{"group":"\#(group)","text":"Where are you?"}"#)
            try await site.installation.done(
                "ben", "observer.create", #"{"group":"\#(group)","name":"Hall"}"#)
            let page = try await site.open()
            try await page.shows(.field("User name or email"))
            try await page.run(script)
            var findings = try await findings(on: page, "welcome")
            try await site.logIn("ann", on: page)
            try await page.says("Sharing", of: "ben")
            findings += try await self.findings(onEachViewOf: page, "light", script)
            try await page.prefer("prefers-color-scheme", "dark")
            findings += try await self.findings(onEachViewOf: page, "dark", script)
            try await page.resize(width: 360, height: 740)
            try await page.prefer("prefers-color-scheme", "light")
            findings += try await self.findings(onEachViewOf: page, "phone", script)
            findings += try await self.findings(ofProgramOn: page)
            try await page.run("localStorage.setItem('kith.language', JSON.stringify('ar'))")
            try await page.reload()
            try await page.wait(
                for: "a page from the right",
                "document.documentElement.dir === 'rtl' && document.querySelector('.shell')")
            findings += try await self.findings(onEachViewOf: page, "right-to-left", script)
            #expect(findings == [], "\(findings.joined(separator: "\n"))")
        }
    }

    @Test func `The operator's page has no accessibility faults`() async throws {
        let script = try await AccessibilityTests.script()
        try await withWebsite { site in
            _ = try await site.family("ben")
            let form = try await site.open(width: 320, height: 640, at: "operator.html")
            try await form.shows(.field("The operator’s token"))
            try await form.run(script)
            var findings = try await findings(on: form, "operator, token")
            let page = try await site.openOperator()
            try await page.run(script)
            try await page.click(.disclosure("Add a person"))
            try await page.click(.disclosure("Create a group"))
            try await page.click(.disclosure("Family"))
            try await page.click(.disclosure("Ben"))
            try await page.click(.button("Make a link: ben"))
            try await page.shows(.css(".link-box .qr path"))
            findings += try await self.findings(on: page, "operator, light")
            try await page.prefer("prefers-color-scheme", "dark")
            findings += try await self.findings(on: page, "operator, dark")
            try await page.resize(width: 320, height: 640)
            findings += try await self.findings(on: page, "operator, phone")
            try await page.click(.button("Disable: ben"))
            try await page.shows(.button("Disable ben"))
            findings += try await self.findings(on: page, "operator, a question")
            #expect(findings == [], "\(findings.joined(separator: "\n"))")
        }
    }

    @Test func `An accessibility fault is detected`() async throws {
        let script = try await AccessibilityTests.script()
        try await withWebsite { site in
            let page = try await site.open()
            try await page.shows(.field("User name or email"))
            try await page.run(script)
            try await page.run(
                """
                const button = document.createElement("button");
                button.style.cssText = "color: #ccc; background: #fff; width: 60px; height: 60px";
                document.querySelector("#app main, #app").append(button);
                """)
            let findings = try await findings(on: page, "welcome")
            #expect(findings.count == 1)
            #expect(findings.first?.contains("button-name") == true)
        }
    }
}
