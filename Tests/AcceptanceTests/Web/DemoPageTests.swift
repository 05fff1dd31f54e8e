import Browser
import Foundation
import TestBroker
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DemoPageTests {
    /// Runs `body` with `kith up --demo`, once there is a bridge behind its page.
    func withDemo(
        _ body: (_ address: String, _ port: UInt16, _ directory: String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            let up = RunningPage(
                program: RunningProgram(
                    Program.kith,
                    [
                        "up", "--demo", "--data", directory, "--port", "\(port)", "--web-port", "0",
                    ]))
            do {
                let address = try await eventually("a page:\n\(up.program.lines)") { up.address }
                _ = try await eventually("a bridge behind it:\n\(up.program.lines)") {
                    try await Program.run("curl", ["-sf", address + "healthz"]).status == 0
                        ? true : nil
                }
                try await body(address, port, directory)
            } catch {
                await up.program.end(SIGTERM)
                throw error
            }
            await up.program.end(SIGTERM)
        }
    }

    @Test func `The demo is one click away, and does not locate its visitor`() async throws {
        try await withDemo { address, _, _ in
            try await withBrowser { browser in
                let visitor = try await browser.visitor()
                visitor.tolerate { $0.url.hasSuffix("/session") && $0.text.contains("401") }
                let page = try await visitor.open(address)
                try await page.setLocation(latitude: 46.123456, longitude: 14.654321)
                try await page.run(
                    """
                    window.asked = 0;
                    window.told = "";
                    const query = Permissions.prototype.query;
                    Permissions.prototype.query = function (what) {
                        if (what.name === "geolocation") window.asked += 1;
                        return query.call(this, what);
                    };
                    const send = window.fetch;
                    window.fetch = (...all) => {
                        window.told += JSON.stringify(all);
                        return send(...all);
                    };
                    for (const name of ['getCurrentPosition', 'watchPosition']) {
                        const real = Geolocation.prototype[name];
                        Geolocation.prototype[name] = function (...all) {
                            window.asked += 1;
                            return real.apply(this, all);
                        };
                    }
                    """)
                try await page.click(.button("Watch the demo"))
                try await page.shows(.link("Chat"))
                try await page.wait(
                    for: "five people on the map",
                    "document.querySelectorAll('.person-marker').length >= 5")
                try await page.sees("Demo")
                #expect(try await page.has(.button("Where am I?")) == false)
                try await page.click(.button("Start a journey"))
                try await page.click(.button("Choose on the map"))
                try await page.sees("Tap the map where you are going.")
                try await page.press("Escape")
                try await page.stopClock()
                try await page.click(.button("SOS"), holding: .milliseconds(1800))
                try await page.sees("Rehearsal: calling for help in")
                try await page.press("Escape")
                try await page.sees("Nothing was sent")
                // An SOS is a rehearsal, from its beginning to its end.
                try await page.run(
                    """
                    window.sent = [];
                    const real = window.fetch;
                    window.fetch = (path, ...all) => {
                        window.sent.push(String(path));
                        return real(path, ...all);
                    };
                    """)
                try await page.click(.button("SOS"), holding: .milliseconds(1800))
                try await page.click(.button("Skip the countdown"))
                try await page.sees("This is what your SOS would look like.")
                try await page.sees("Ann is coming.")
                try await page.picture("rehearsal-1280")
                try await page.click(.button("End the rehearsal"))
                try await page.sees("no one was alerted")
                let sent: [String] = try await page.evaluate("window.sent")
                #expect(sent.filter { $0.contains("sos") || $0.contains("fix") } == [])
                try await page.visit("People")
                try await page.click(.button("Find"))
                try await page.wait(
                    for: "an answer",
                    "[...document.querySelectorAll('.view-people [role=status], "
                        + ".view-people [role=alert]')].some(e => e.textContent.includes('riend'))")
                #expect(try await page.evaluate("window.asked", as: Int.self) == 0)
                let told: String = try await page.evaluate("window.told")
                #expect(told.contains("/api/friend.nearby"))
                #expect(!told.contains("46.12") && !told.contains("14.65"))
            }
        }
    }

    @Test func `A demo visitor's cookie is worthless at the broker, and shows no position`()
        async throws
    {
        try await withDemo { address, port, directory in
            let jar = directory + "/cookies"
            /// Sends a request as the page does.
            func ask(_ path: String, _ body: String = "{}") async throws -> String {
                try await Program.succeed(
                    "curl",
                    [
                        "-s", "-o", "-", "-w", " %{http_code}", "-b", jar, "-c", jar,
                        "-H", "Sec-Fetch-Site: same-origin", "-H", "Content-Type: application/json",
                        "-d", body, address + path,
                    ])
            }
            let session = try await ask("session/demo")
            #expect(session.contains(#""user":"dan""#) && session.contains(#""demo":true"#))
            let cookies = try String(contentsOfFile: jar, encoding: .utf8)
            let value = String(try #require(cookies.split(whereSeparator: \.isWhitespace).last))
            #expect(value == "demo")
            let refused = try await Program.run(
                "mosquitto_pub",
                [
                    "-p", "\(port)", "-u", "dan", "-P", value, "-n", "-t",
                    "kith/users/dan/devices/browser/fix",
                ])
            #expect(refused.status != 0)
            let asBearer = try await Program.succeed(
                "curl",
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H",
                    "Authorization: Bearer \(value)", "-d", "{}", address + "api/group.list",
                ])
            #expect(asBearer == "401")

            let fix = #"{"latitude":1,"longitude":2,"timestamp":"2026-01-01T00:00:00Z"}"#
            for (path, body) in [
                ("api/fix", fix), ("api/sos.trigger", #"{"fix":\#(fix)}"#),
                ("api/sos.trigger", #"{"fix":null,"fix":\#(fix)}"#),
                ("api/friend.share", #"{"with":"all","fix":\#(fix)}"#),
                ("api/friend.nearby", #"{"radius":100,"fix":\#(fix)}"#),
                ("api/group.leave", "{}"), ("api/group.create", #"{"name":"Mine"}"#),
                ("api/account.password", #"{"old":"x","new":"a new one"}"#),
                ("api/account.delete", #"{"password":"x"}"#), ("api/no.method", "{}"),
                ("api/sos.trigger", "{}"), ("api/sos.stop", "{}"), ("api/fix", "[\(fix)]"),
                ("api/alert.acknowledge", #"{"alert":"01900000-0000-7000-8000-000000000000"}"#),
                ("api/journey.start", #"{"groups":"all","eta":"2030-01-01T00:00:00Z"}"#),
                ("api/journey.stop", "{}"), ("api/sharing.stop", #"{"groups":"all"}"#),
                ("api/sharing.start", #"{"groups":"all"}"#), ("api/friend.unshare", "{}"),
                ("api/chat.send", "{}"), ("api/location.off", "{}"),
                ("api/friend.nearby", #"{"radius":100,"f\u0069x":\#(fix)}"#),
                ("api/friend.nearby", #"[{"radius":100,"fix":\#(fix)}]"#),
            ] {
                let answer = try await ask(path, body)
                #expect(answer.hasSuffix(" 403"), "\(path): \(answer)")
            }
            for (path, body) in [
                ("api/group.list", "{}"), ("api/friend.list", "{}"),
                ("api/friend.nearby", #"{"radius":100}"#),
            ] {
                let answer = try await ask(path, body)
                #expect(answer.hasSuffix(" 200"), "\(path): \(answer)")
            }
        }
    }
}
