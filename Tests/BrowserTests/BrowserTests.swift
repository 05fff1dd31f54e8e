import Browser
import Foundation
import TestSupport
import Testing

/// The instrument is tested before it tests others.
struct BrowserTests {
    private func withPage(
        _ html: String, head: String = "", _ body: (Browser, Page) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let file = directory + "/page.html"
            let whole =
                "<!doctype html><html lang=en><meta charset=utf-8>"
                + "<meta name=viewport content=width=device-width>\(head)<title>Page</title>\(html)"
            try Data(whole.utf8).write(to: URL(fileURLWithPath: file))
            try await withBrowser { browser in
                try await body(browser, try await browser.open("file://\(file)"))
            }
        }
    }

    @Test func `Fields are filled and buttons clicked by name`() async throws {
        let form = """
            <form onsubmit="said.textContent = a.value + ' ' + b.value; return false">
            <label for=a>User name</label><input id=a value=before>
            <label>Password <input id=b type=password></label><button>Log in</button></form>
            <p id=said></p>
            """
        try await withPage(form) { _, page in
            try await page.type(into: .field("User name"), "ann žluťoučký")
            try await page.type(into: .field("Password"), "secret")
            try await page.click(.button("Log in"))
            try await page.sees("ann žluťoučký secret")
            try await page.type(into: .field("User name"), "ben")
            try await page.press("Enter")
            try await page.sees("ben secret")
            #expect(try await page.evaluate("document.title") == "Page")
            #expect(try await page.has(.button("Log out")) == false)
        }
    }

    @Test func `A button is held for the given time`() async throws {
        let button = """
            <button onpointerdown="t = performance.now()"
            onpointerup="said.textContent = performance.now() - t">Hold</button><p id=said></p>
            """
        try await withPage(button) { _, page in
            try await page.click(.button("Hold"), holding: .milliseconds(700))
            let time: String = try await page.text(of: "#said")
            #expect(Double(time) ?? 0 >= 700)
        }
    }

    @Test func `Covered or disabled elements cannot be clicked`() async throws {
        let buttons = """
            <button onclick="said.textContent += 'covered'">Covered</button>
            <button disabled>Disabled</button><p id=said>.</p>
            <div id=cover style="position:fixed;inset:0"></div>
            """
        try await withPage(buttons) { _, page in
            await #expect(throws: BrowserError.self) {
                try await page.wait(for: "nothing", within: .milliseconds(100), "false")
            }
            let uncover = Task {
                try await Task.sleep(for: .milliseconds(400))
                try await page.run("cover.remove(); said.textContent = 'free '")
            }
            try await page.click(.button("Covered"))
            try await uncover.value
            #expect(try await page.text(of: "#said") == "free covered")
        }
    }

    @Test(arguments: [
        ("<script>console.error('wrong')</script>", "", "console: wrong"),
        ("<script>throw new Error('wrong')</script>", "", "exception: Error: wrong"),
        ("<script>alert('wrong')</script>", "", "dialog: wrong"),
        (
            "<img src=x onerror=alert(1)>",
            "<meta http-equiv=Content-Security-Policy content=\"script-src 'self'\">", "policy: "
        ),
        ("<img src=nowhere.png>", "", "network: "),
    ])
    func `A page that complains fails the test`(_ html: String, _ head: String, _ what: String)
        async throws
    {
        let error = await #expect(throws: BrowserError.self) {
            try await withPage(html, head: head) { browser, page in
                try await page.wait(for: "it", within: .seconds(10)) { () -> Bool? in
                    browser.complaints.isEmpty ? nil : true
                }
            }
        }
        #expect(error?.description.contains(what) == true, "\(error?.description ?? "none")")
    }

    @Test func `Allow-listed console messages don't fail a test`() async throws {
        try await withPage("<script>console.error('known')</script>") { browser, page in
            #expect(browser.complaints.count == 1)
            page.visitor.tolerate { $0.source == .console }
            #expect(browser.complaints.isEmpty)
        }
    }

    @Test func `Visitors share nothing`() async throws {
        try await withPage("<p>Hello") { browser, page in
            try await page.run("localStorage.x = 1")
            let address: String = try await page.evaluate("location.href")
            let same = try await page.visitor.open(address)
            let other = try await browser.open(address, width: 360, height: 740)
            #expect(try await same.evaluate("localStorage.x ?? 'none'") == "1")
            #expect(try await other.evaluate("localStorage.x ?? 'none'") == "none")
            #expect(try await other.evaluate("innerWidth") == 360)
        }
    }
}
