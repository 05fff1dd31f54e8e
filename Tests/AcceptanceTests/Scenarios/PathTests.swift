import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PathTests {
    /// More points than a page of `path.get` or six segments hold.
    private static let count = 410

    @Test func `A long path is the same on the topics, as GeoJSON and as GPX, page by page`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let topic = Topic.member(group, "ann") + "/path/"
            try await installation.done(
                "ann", "journey.start",
                """
                {"groups":"all","eta":"\(time(in: 900))","destination":\
                {"latitude":47,"longitude":14.5}}
                """)
            let start = Date().timeIntervalSince1970
            let fixes = (0..<PathTests.count).map { index in
                let age = Date().timeIntervalSince1970 - start + 100 - Double(index) / 5
                return fix(at: Double(index), age: age)
            }
            try await installation.publish(Topic.fix("ann"), "[\(fixes.joined(separator: ","))]")
            let live = try await installation.listen(as: .device("ben"), to: topic + "+")
            let last = (PathTests.count + 63) / 64
            try await live.hears("the last segment", on: topic + "\(last)") {
                $0["points"].elements.count == PathTests.count - (last - 1) * 64
            }
            let onTopics = (1...last).flatMap {
                live.latest[topic + "\($0)"]?.json["points"].elements ?? []
            }.compactMap { $0.elements[1].number }
            let expected = (0..<PathTests.count).map { Place.latitude(Double($0)) }
            #expect(onTopics == expected)

            let geo = try await pages("geojson", installation, group).flatMap {
                $0["geometry"]["coordinates"].elements
            }
            #expect(geo.compactMap { $0.elements[1].number } == expected)
            let gpx = try await pages("gpx", installation, group).compactMap(\.text)
            try expectGPX(gpx, latitudes: expected)
        }
    }

    private func pages(_ format: String, _ installation: Installation, _ group: String) async throws
        -> [JSON]
    {
        var (pages, cursor) = ([JSON](), "0")
        while true {
            let answer = try await installation.done(
                "ben", "path.get",
                """
                {"group":"\(group)","user":"ann","format":"\(format)","cursor":"\(cursor)"}
                """)
            pages.append(answer["path"])
            guard let next = answer["next"].text else { return pages }
            cursor = next
        }
    }

    private func expectGPX(_ documents: [String], latitudes: [Double]) throws {
        var found: [Double] = []
        for text in documents {
            #expect(text.contains(#"<gpx version="1.1""#))
            for match in text.matches(of: /<trkpt lat="([0-9.]+)" lon="14.5">/) {
                found.append(try #require(Double(match.1)))
            }
            #expect(text.matches(of: /<time>20[0-9T:.-]+Z<\/time>/).count <= 400)
        }
        #expect(found == latitudes)
    }
}
