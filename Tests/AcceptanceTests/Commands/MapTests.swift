import Foundation
import TestSupport
import Testing

/// The operator's own map: `kith map`, and its tiles over HTTP.
@Suite(.timeLimit(.minutes(3)))
struct MapTests {
    /// The demo's.
    static let monaco = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "demo/monaco.mbtiles").path

    private func map(_ arguments: String..., data: String) async throws -> Ending {
        try await Program.run(Program.kith, ["map"] + arguments + ["--data", data])
    }

    @Test func `A map is installed, shown, replaced and removed`() async throws {
        try await withTemporaryDirectory { directory in
            let data = "\(directory)/data"
            #expect(try await map("add", MapTests.monaco, data: data).status == 1)
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: false)
            #expect(try await map("show", data: data).output.contains("bundled map of the world"))
            #expect(try await map("remove", data: data).status == 1)
            for _ in 0..<2 {
                let added = try await map("add", MapTests.monaco, data: data)
                #expect(added.status == 0, "\(added)")
                #expect(added.output.contains("Monaco"))
                #expect(added.output.contains("zooms 12 to 17"))
            }
            #expect(
                FileManager.default.contentsEqual(
                    atPath: MapTests.monaco, andPath: "\(data)/map.mbtiles"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: data) == ["map.mbtiles"])
            #expect(try await map("show", data: data).output.contains("Monaco"))

            let wrong = "\(directory)/wrong.mbtiles"
            try Data("no map".utf8).write(to: URL(fileURLWithPath: wrong))
            let refused = try await map("add", wrong, data: data)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("not an SQLite database"))
            #expect(try await map("show", data: data).output.contains("Monaco"))

            #expect(try await map("remove", data: data).status == 0)
            #expect(try await map("show", data: data).output.contains("bundled map of the world"))
        }
    }

    @Test func `A map and a tile address exclude each other`() async throws {
        try await withTemporaryDirectory { directory in
            let text = "web:\n  map: a.mbtiles\n  tiles: https://example.org/{z}/{x}/{y}.png\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/kith.yaml"))
            let ending = try await Program.run(Program.kith, ["check-config", "--data", directory])
            #expect(ending.status == 1)
            #expect(ending.errors.contains("web.map and web.tiles exclude each other"))
        }
    }

    @Test func `Tiles are served for long caching, and a missing one is an empty response`()
        async throws
    {
        try await withWebsite(["KITH_WEB_MAP": MapTests.monaco]) { site in
            let config = JSON(
                parsing: try await Program.succeed("curl", ["-s", "\(site.address)config.json"]))
            let address = try #require(config["tiles"]["url"].text)
            #expect(config["tiles"]["minimumZoom"].number == 12)
            #expect(config["tiles"]["maximumZoom"].number == 17)
            #expect(config["tiles"]["attribution"].text?.contains("OpenStreetMap") == true)
            #expect(config["tiles"]["bounds"].elements.count == 4)
            #expect(address.hasPrefix("/map/{z}/{x}/{y}?"))

            func head(_ path: String, _ more: String...) async throws -> String {
                try await Program.succeed(
                    "curl", ["-s", "-I"] + more + [site.address + path.dropFirst()]
                ).lowercased()
            }
            let harbour = address.replacing("{z}/{x}/{y}", with: "14/8529/5975")
            let tile = try await head(harbour)
            #expect(tile.hasPrefix("http/1.1 200"))
            #expect(tile.contains("content-type: image/png"))
            #expect(tile.contains("max-age=31536000, immutable"))
            #expect(tile.contains("img-src 'self' data:;"))
            let tag = try #require(tile.firstMatch(of: /etag: (\S+)/)?.1)
            #expect(
                try await head(harbour, "-H", "If-None-Match: \(tag)").hasPrefix("http/1.1 304"))
            // A request with no version, or another one, must be revalidated each time.
            #expect(try await head("/map/14/8529/5975").contains("no-cache"))
            #expect(try await head("/map/14/0/0").hasPrefix("http/1.1 204"))
            #expect(try await head("/map/3/1/1").hasPrefix("http/1.1 204"))
            #expect(try await head("/map/14/x/0").hasPrefix("http/1.1 404"))
            #expect(
                try await head("/map/14/8529/5975", "-X", "POST").hasPrefix("http/1.1 405"))
            #expect(!site.web.lines.contains { $0.contains("5975") })
        }
    }

}
