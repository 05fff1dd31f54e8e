import Browser
import Foundation
import LocalBroker
import TestBroker
import Testing

@Suite(.timeLimit(.minutes(3)))
struct DemoPageTests {
    @Test func `The demo is one click away`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try LocalBroker.freePort()
            let up = RunningPage(
                program: RunningProgram(
                    Program.kith,
                    [
                        "up", "--demo", "--data", directory, "--port", "\(port)", "--web-port", "0",
                    ]))
            do {
                let address = try await eventually("a page:\n\(up.program.lines)") { up.address }
                // Until there is a bridge behind it.
                try await Program.succeed(
                    "curl",
                    ["-sf", "--retry", "25", "--retry-delay", "1", "--retry-all-errors"]
                        + [address + "healthz"])
                try await withBrowser { browser in
                    let visitor = try await browser.visitor()
                    visitor.tolerate { $0.url.hasSuffix("/session") && $0.text.contains("401") }
                    let page = try await visitor.open(address)
                    try await page.click(.button("Watch the demo"))
                    try await page.shows(.link("Chat"))
                    try await page.wait(
                        for: "five people on the map",
                        "document.querySelectorAll('.person-marker').length >= 5")
                    try await page.sees("Demo")
                }
            } catch {
                await up.program.end(SIGTERM)
                throw error
            }
            await up.program.end(SIGTERM)
        }
    }
}
