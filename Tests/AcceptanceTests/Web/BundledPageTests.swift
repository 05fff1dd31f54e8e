import Browser
import Foundation
import TestBroker
import TestSupport
import Testing

/// The page as `tools/bundle-page` makes it for browsers far away.
@Suite(.timeLimit(.minutes(4)))
struct BundledPageTests {
    @Test func `The bundle is complete, small and compressed, and replaces nothing else`()
        async throws
    {
        let folder = try await PageBundle.directory()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for name in [
            "index.html", "operator.html", "runs.html", "share.html", "sw.js",
            "languages/de.json",
        ] {
            #expect(files.contains(name) && files.contains(name + ".br"), "\(name)")
            #expect(files.contains(name + ".gz"))
        }
        let start = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
        let loaded = start.matches(of: /(?:href|src)="\/((?:js|css)\/[^"]+)"/).map {
            String($0.1)
        }
        #expect(loaded.count > 2 && start.contains("modulepreload"))
        #expect(!start.contains("operator"))
        var sum = 0
        for file in loaded {
            #expect(file.contains(/-[0-9A-Z]{8}\.(js|css)$/))
            let module = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            #expect(!module.contains("Leaflet"), "the start page loads the map: \(file)")
            sum += try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file).br")).count
        }
        #expect(sum < 80_000, "The start page needs \(sum) bytes.")

        let other = folder + "/.."
        let refused = try await Program.run(
            Document.project + "/tools/bundle-page", [other])
        #expect(refused.status == 1 && FileManager.default.fileExists(atPath: folder))
    }

    @Test func `The bundle is served compressed, cached by digest, and opens without a network`()
        async throws
    {
        try await withWebsite { site in
            try await checkHeaders(site.address)
            try await openWithoutNetwork(site)
        }
    }

    private func checkHeaders(_ address: String) async throws {
        func head(_ path: String) async throws -> String {
            try await Program.succeed(
                "curl", ["-sI", "-H", "Accept-Encoding: gzip, br", address + path]
            ).lowercased()
        }
        let start = try await head("")
        #expect(start.contains("content-encoding: br") && start.contains("cache-control: no-cache"))
        let page = try await Program.succeed("curl", ["-s", "--compressed", address])
        let script = try #require(page.firstMatch(of: /src="\/(js\/main-[^"]+)"/)?.1)
        let module = try await head(String(script))
        #expect(module.contains("immutable") && module.contains("vary: accept-encoding"))
        #expect(module.contains("content-encoding: br"))
    }

    private func openWithoutNetwork(_ site: Website) async throws {
        _ = try await site.family("ben")
        let page = try await site.logIn("ann", width: 360, height: 740)
        page.visitor.tolerate { $0.source == .network }
        try await site.endWeb(of: page)
        try await page.visitor.setOffline(true)
        try await page.reload()
        try await page.shows(.link("Chat"))
        try await page.sees("Offline")
        // A part that is loaded only when it is needed.
        try await page.wait(for: "a map", "!!document.querySelector('.leaflet-container')")
    }
}
