import Browser
import Foundation
import Testing

/// The unit tests in `Units` of the page's modules: each runs on a page of its own, with nothing
/// else of the page, and with no network but the test's.
@Suite(.timeLimit(.minutes(3)))
struct UnitTests {
    static let pages = folder(above: 3) + "/pages"
    static let units = folder(above: 1) + "/Units"
    /// Where Debian installs Leaflet and the encoder of QR codes.
    static let libraries = ("/usr/share/javascript", "/usr/share/nodejs")

    private static func folder(above count: Int) -> String {
        (0..<count).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }.path
    }

    private func withUnit(_ body: (Page) async throws -> Void) async throws {
        try await withBrowser { browser in
            let page = try await browser.open("about:blank")
            // A test without a network gets errors from the browser.
            page.visitor.tolerate { $0.source == .network }
            try await page.serve(
                UnitTests.pages, UnitTests.units, UnitTests.libraries.0, UnitTests.libraries.1)
            try await page.go(to: "http://localhost/unit.html")
            try await body(page)
        }
    }

    private func run(_ unit: Unit, on page: Page) async throws {
        try await page.run(
            """
            await import("/\(unit.file)");
            await (await import("/unit.js")).run(\(Page.quoted(unit.name)));
            """)
    }

    @Test(arguments: try Unit.all(in: UnitTests.units))
    func `A page module passes its unit tests`(_ unit: Unit) async throws {
        try await withUnit { page in try await run(unit, on: page) }
    }

    @Test(arguments: try Unit.all(of: "sos-layout.test.js", in: UnitTests.units))
    func `A page module passes its unit tests in forced colours`(_ unit: Unit) async throws {
        try await withUnit { page in
            try await page.prefer("forced-colors", "active")
            try await run(unit, on: page)
        }
    }

    @Test func `A wrong unit fails`() async throws {
        try await withUnit { page in
            let error = await #expect(throws: BrowserError.self) {
                try await page.run("(await import('/unit.js')).equal([1], [2], 'numbers:')")
            }
            #expect(error?.description.contains("numbers: [1] is not [2]") == true)
        }
    }

    /// Includes modules that the page loads only when needed.
    @Test func `Every module can be loaded by itself`() async throws {
        // Those that start a page need it.
        let starting = ["main.js", "operator.js", "runs.js", "share.js"]
        let scripts = try #require(
            FileManager.default.enumerator(atPath: UnitTests.pages + "/js")
        ).compactMap { $0 as? String }.filter { $0.hasSuffix(".js") && !starting.contains($0) }
        #expect(scripts.count > 40)
        try await withUnit { page in
            for script in scripts.sorted() { try await page.run("await import('/js/\(script)')") }
        }
    }
}
