import Contract
import Testing
import Tracking

/// Paths: segments as published, documents as requested.
struct PathTests {
    private func points(_ count: Int) throws -> [Path.Point] {
        try (0..<count).map {
            Path.Point(
                coordinate: try #require(
                    Coordinate(latitudeE7: 460_000_000 + Int64($0), longitudeE7: -145_000_001)),
                takenAt: .now + .milliseconds(1500 * $0))
        }
    }

    private func document(_ count: Int, name: String = "Ann", mode: Path.Mode? = .sos) throws
        -> PathDocument
    {
        PathDocument(
            user: .ann, name: name, mode: mode, startedAt: mode.map { _ in .now },
            points: try points(count))
    }

    @Test func `A segment has longitude, latitude and epoch milliseconds`() throws {
        #expect(
            try PathSegment(segment: 2, mode: .journey, points: points(2)).payload.text == """
                {"segment":2,"mode":"journey","points":[[-14.5000001,46,1777629600000],\
                [-14.5000001,46.0000001,1777629601500]]}
                """)
        #expect(
            PathSegment(segment: 1, mode: .sos, points: []).payload.text
                == #"{"segment":1,"mode":"sos","points":[]}"#)
    }

    @Test func `A path in GeoJSON is a Feature with a LineString`() throws {
        #expect(
            try document(2).geoJSON.text == """
                {"type":"Feature","geometry":{"type":"LineString",\
                "coordinates":[[-14.5000001,46],[-14.5000001,46.0000001]]},\
                "properties":{"user":"ann","name":"Ann","mode":"sos",\
                "startedAt":"2026-05-01T10:00:00.000Z","times":[1777629600000,1777629601500]}}
                """)
    }

    /// A LineString has at least two positions (RFC 7946, 3.1.4).
    @Test func `A path of one position is a Point, an empty one is null`() throws {
        #expect(
            try document(1, mode: .journey).geoJSON.text == """
                {"type":"Feature","geometry":{"type":"Point","coordinates":[-14.5000001,46]},\
                "properties":{"user":"ann","name":"Ann","mode":"journey",\
                "startedAt":"2026-05-01T10:00:00.000Z","times":[1777629600000]}}
                """)
        #expect(
            try document(0, mode: nil).geoJSON.text == """
                {"type":"Feature","geometry":null,\
                "properties":{"user":"ann","name":"Ann","times":[]}}
                """)
    }

    @Test func `A path in GPX is a track`() throws {
        #expect(
            try document(2).gpx == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Kith" xmlns="http://www.topografix.com/GPX/1/1">
                <trk><name>Ann</name><trkseg>
                <trkpt lat="46" lon="-14.5000001"><time>2026-05-01T10:00:00.000Z</time></trkpt>
                <trkpt lat="46.0000001" lon="-14.5000001"><time>2026-05-01T10:00:01.500Z</time></trkpt>
                </trkseg></trk>
                </gpx>

                """)
    }

    @Test(arguments: [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;'"),
        // An accent on a sign forms one character; the sign must still be escaped.
        ("&\u{301}<\u{302}>\u{301}", "&amp;\u{301}&lt;\u{302}&gt;\u{301}"),
        ("]]>", "]]&gt;"),
        ("Žiga 🛰", "Žiga 🛰"),
    ])
    func `A name cannot break out of the document`(_ name: String, _ escaped: String) throws {
        let gpx = try document(0, name: name).gpx
        let start = try #require(gpx.utf8.firstRange(of: "<name>".utf8))
        let end = try #require(gpx.utf8.firstRange(of: "</name>".utf8))
        #expect(Array(gpx.utf8[start.upperBound..<end.lowerBound]) == escaped.bytes)
    }
}
