import Contract
import Foundation
import Testing
import Tracking

/// Paths around ±180°, and gaps without fixes.
struct PathCutTests {
    private func document(_ places: [(longitude: Double, latitude: Double)]) throws
        -> PathDocument
    {
        let points = try places.enumerated().map { index, place in
            Path.Point(
                coordinate: try #require(
                    Coordinate(latitude: place.latitude, longitude: place.longitude)),
                takenAt: .now + .seconds(10 * index))
        }
        return PathDocument(
            user: .ann, name: "Ann", mode: .sos, startedAt: .now, points: points)
    }

    /// Type and coordinates, as text.
    private func geometry(_ document: PathDocument) throws -> String {
        let text = document.geoJSON.text
        let start = try #require(text.utf8.firstRange(of: "\"geometry\":".utf8))
        let end = try #require(text.utf8.firstRange(of: ",\"properties\"".utf8))
        return try #require(String(text.utf8[start.upperBound..<end.lowerBound]))
    }

    /// RFC 7946, 3.1.9.
    @Test func `A path over 180° is cut where it crosses`() throws {
        let path = try document([(179.9, 10), (-179.9, 12), (-179.8, 12), (179.8, 12)])
        #expect(
            try geometry(path) == """
                {"type":"MultiLineString","coordinates":[[[179.9,10],[180,11]],\
                [[-180,11],[-179.9,12],[-179.8,12],[-180,12]],[[180,12],[179.8,12]]]}
                """)
        #expect(
            path.geoJSON.text.contains(
                """
                "times":[[1777629600000,1777629605000],\
                [1777629605000,1777629610000,1777629620000,1777629625000],\
                [1777629625000,1777629630000]]
                """))
    }

    @Test(arguments: [
        // A position on the meridian belongs to either side.
        ([180, -179.9], #"{"type":"LineString","coordinates":[[-180,1],[-179.9,1]]}"#),
        ([-179.9, 180], #"{"type":"LineString","coordinates":[[-179.9,1],[-180,1]]}"#),
        ([180, -180], #"{"type":"LineString","coordinates":[[180,1]]}"#),
        ([180], #"{"type":"Point","coordinates":[180,1]}"#),
        ([-90, 90], #"{"type":"LineString","coordinates":[[-90,1],[90,1]]}"#),
        (
            [179, 180, -179],
            """
            {"type":"MultiLineString","coordinates":[[[179,1],[180,1]],[[-180,1],[-179,1]]]}
            """
        ),
    ])
    func `A position on the meridian causes at most one cut`(
        _ longitudes: [Double], _ expected: String
    ) throws {
        let path = try document(longitudes.map { ($0, 1) })
        if longitudes == [180, -180] {
            // Two positions of two times, at one place.
            #expect(
                try geometry(path)
                    == #"{"type":"LineString","coordinates":[[180,1],[180,1]]}"#)
        } else {
            #expect(try geometry(path) == expected)
        }
    }

    @Test(arguments: seeds)
    func `Cut lines never cross 180° and have at least two positions`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var cutter = PathCutter()
        var lines: [[Path.Point]] = [[]]
        var told: [Path.Point] = []
        for index in 0..<40 {
            let longitude = Int64.random(in: 1_799_999_990...1_800_000_000, using: &random)
            let place = try #require(
                Coordinate(
                    latitudeE7: Int64.random(in: -9...9, using: &random),
                    longitudeE7: Bool.random(using: &random) ? longitude : -longitude))
            told.append(Path.Point(coordinate: place, takenAt: .now + .seconds(index)))
        }
        for step in told.flatMap({ cutter.add($0) }) + cutter.end() {
            if case .point(let point) = step {
                lines[lines.count - 1].append(point)
            } else {
                lines.append([])
            }
        }
        for line in lines {
            #expect(line.count >= 2, "seed \(seed)")
            for (one, next) in zip(line, line.dropFirst()) {
                #expect(
                    abs(one.coordinate.longitude - next.coordinate.longitude) <= 180,
                    "seed \(seed)")
                #expect(one.takenAt <= next.takenAt, "seed \(seed)")
            }
        }
        let times = Set(lines.joined().map(\.takenAt))
        #expect(told.allSatisfy { times.contains($0.takenAt) }, "seed \(seed)")
    }

    private func gpx(_ points: [(longitude: Double, seconds: Int)], altitude: Double? = nil) throws
        -> String
    {
        var writer = GPXWriter()
        writer.beginTrack("x")
        for point in points {
            writer.point(
                try #require(Coordinate(latitude: 1, longitude: point.longitude)),
                .now + .seconds(point.seconds), altitude: altitude)
        }
        writer.endTrack()
        return writer.takeBytes().text
    }

    /// GPX 1.1: 180 is not a valid longitude, and a decimal has no exponent.
    @Test func `GPX output stays within its schema`() throws {
        #expect(try gpx([(180, 0)]).contains("lon=\"179.9999999\""))
        #expect(try gpx([(-180, 0)]).contains("lon=\"-180\""))
        #expect(try gpx([(1, 0)], altitude: 1e-05).contains("<ele>0</ele>"))
        #expect(try gpx([(1, 0)], altitude: -0.25).contains("<ele>-0.25</ele>"))
        #expect("a\u{1}b\u{FFFF}\t".escapedForXML == "a\u{FFFD}b\u{FFFD}\t")
    }

    @Test(arguments: [
        ([(1.0, 0), (1.0, 900)], [2]),
        ([(1.0, 0), (1.0, 901), (1.0, 902)], [1, 2]),
        ([(1.0, 10), (1.0, 0)], [1, 1]),
        ([(179.9, 0), (-179.9, 1), (-179.8, 2)], [1, 2]),
        ([], []),
    ])
    func `A track is split at long gaps, backward times and 180°`(
        _ points: [(Double, Int)], _ counts: [Int]
    ) throws {
        let text = try gpx(points.map { (longitude: $0.0, seconds: $0.1) })
        let segments = text.components(separatedBy: "<trkseg>").dropFirst()
        #expect(segments.map { $0.components(separatedBy: "<trkpt").count - 1 } == counts)
        #expect(text.components(separatedBy: "</trkseg>").count - 1 == counts.count)
    }
}
