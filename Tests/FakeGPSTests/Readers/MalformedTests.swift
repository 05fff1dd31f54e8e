import Testing
import Tracking

@testable import FakeGPS

/// Input that is not a track, and its errors.
struct MalformedTests {
    private static let unknown =
        "it is neither GPX, TCX, FIT, GeoJSON, NMEA 0183 nor an export of Kith"

    static let cases: [(text: String, error: String)] = [
        ("", unknown),
        ("\u{FEFF}", unknown),
        ("PK\u{3}\u{4}", "it cannot be unpacked: Truncated ZIP file header"),
        ("<kml></kml>", unknown),
        ("[1,2]", "a fix has no position"),

        ("<gpx></gpx>", "there is no track in it"),
        ("<gpx><wpt lat='1' lon='1'/></gpx>", "there is no track in it"),
        ("<gpx>\n<trk>", "line 2: not well-formed XML"),
        ("<gpx", "line 1: not well-formed XML"),
        ("<gpx><trk></gpx>", "line 1: not well-formed XML"),
        ("<gpx>&none;</gpx>", "line 1: not well-formed XML"),
        ("<gpx>\n<trkpt lon='1'/></gpx>", "line 2: a latitude or longitude is missing"),
        ("<gpx>\n\n<trkpt lat='x' lon='1'/></gpx>", "line 3: a number cannot be read"),
        ("<gpx><trkpt lat='nan' lon='1'/></gpx>", "line 1: a number cannot be read"),
        ("<gpx><trkpt lat='91' lon='1'/></gpx>", "line 1: a latitude or longitude is out of range"),
        (
            "<gpx><trkpt lat='1' lon='1'><time>now</time></trkpt></gpx>",
            "line 1: a time cannot be read"
        ),
        (
            "<gpx><rtept lat='1' lon='1'><ele>-</ele></rtept></gpx>",
            "line 1: a number cannot be read"
        ),
        (
            "<!DOCTYPE gpx [<!ENTITY a '1'>]><gpx><trkpt lat='&a;' lon='1'/></gpx>",
            "line 1: it has a document type declaration"
        ),
        (
            "<TrainingCenterDatabase><Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees>"
                + "</Position></Trackpoint></TrainingCenterDatabase>",
            "line 1: a latitude or longitude is missing"
        ),

        ("{", "line 1: not JSON: a member's name is missing"),
        ("{\n\"type\":\n nix}", "line 3: not JSON: not a JSON value"),
        ("{}", "an object has no GeoJSON type"),
        (#"{"type":"Track"}"#, "an object has no GeoJSON type"),
        (#"{"type":"Point","coordinates":[1,2]}"#, "there is no track in it"),
        (#"{"type":"LineString","coordinates":[]}"#, "there is no track in it"),
        (#"{"type":"LineString"}"#, "an array is missing"),
        (#"{"type":"LineString","coordinates":[[1]]}"#, "a position cannot be read"),
        (#"{"type":"LineString","coordinates":[["1","2"]]}"#, "a position cannot be read"),
        (#"{"type":"LineString","coordinates":[[1,1e999]]}"#, "a position cannot be read"),
        (
            #"{"type":"Feature","properties":{"times":[]},"geometry":"#
                + #"{"type":"LineString","coordinates":[[1,2]]}}"#,
            "the numbers of positions and times differ"
        ),
        (
            #"{"type":"Feature","properties":{"times":[1e300]},"geometry":"#
                + #"{"type":"LineString","coordinates":[[1,2]]}}"#,
            "a time cannot be read"
        ),

        ("$GPRMC", "there is no track in it"),
        ("$GPRMC,*\n$*\n$*zz\n$GPGGA,1*99", "there is no track in it"),
        ("$GPRMC,000000,V,,,,,,,,,*1B", "there is no track in it"),
        (
            "\n" + nmea("GPRMC,250000,A,4530.00,N,00915.00,E,0,0,010126,,,A"),
            "line 2: a time or a position cannot be read"
        ),
        (
            nmea("GPGGA,000000,4560.00,N,00915.00,E,1,08,1,0,M,0,M,,"),
            "line 1: a time or a position cannot be read"
        ),
        (
            nmea("GPRMC,000000,A,4530.00,N,00915.00,E,0,0,310226,,,A"),
            "line 1: a date cannot be read"
        ),
    ]

    @Test(arguments: cases.indices)
    func `Input that is not a track is refused with the reason and the line`(index: Int) {
        let (text, expected) = MalformedTests.cases[index]
        let error = #expect(throws: TrackError.self) { try Track(reading: Array(text.utf8)) }
        #expect(error?.description == expected)
    }

    @Test func `Bytes that are not text are refused`() {
        for byte in UInt8.min...(.max) {
            #expect(throws: TrackError.self) {
                try Track(reading: Array("<gpx>".utf8) + [byte, 0xFF, byte])
            }
            #expect(throws: TrackError.self) { try Track(reading: [0x7B, byte, 0xFF]) }
            #expect(throws: TrackError.self) { try Track(reading: [0x24, byte, 0x2A, byte]) }
        }
    }

    static let files = [
        "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele><time>2026-01-01T00:00:00Z</time>"
            + "<hdop>1</hdop></trkpt><trkpt lat='1' lon='2.1'/></trkseg></trk></gpx>",
        "<TrainingCenterDatabase><Trackpoint><Time>2026-01-01T00:00:00Z</Time><Position>"
            + "<LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees>"
            + "</Position></Trackpoint></TrainingCenterDatabase>",
        #"{"type":"Feature","properties":{"times":[1000,null]},"geometry":{"type":"LineString","#
            + #""coordinates":[[1,2,3],[4e1,-5]]}}"#,
        nmea(
            """
            GPGGA,235959.00,4530.0000,N,00915.0000,E,1,08,1.5,120.0,M,48.0,M,,
            GNRMC,000002.00,A,4530.0000,N,00915.0000,E,19.4384,90.0,300426,,,A
            """),
    ]

    /// NMEA checksums are corrected, or nothing behind them would be reached.
    @Test(arguments: files.indices, [UInt64](1...400))
    func `A corrupted file yields a track or an error`(file: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array(MalformedTests.files[file].utf8)
        for _ in 0..<random.next(in: 1...4) {
            let index = random.next(in: 0...(bytes.count - 1))
            switch random.next(in: 0...3) {
            case 0: bytes[index] = UInt8(random.next(in: 0...255))
            case 1: bytes[index] = Array("0123456789-.,<>\"eE")[random.next(in: 0...17)].asciiValue!
            case 2: bytes.remove(at: index)
            default: bytes.insert(bytes[index], at: index)
            }
        }
        if file == 3 {
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            bytes = Array(
                nmea(lines.map { $0.dropFirst().dropLast(3) }.joined(separator: "\n")).utf8)
        }
        do {
            let track = try Track(reading: bytes)
            #expect(!track.samples.isEmpty)
            _ = try track.resampled(every: .seconds(7))
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test func `An oversized file is refused before it is read`() {
        let bytes = [UInt8](repeating: 0x20, count: Track.maximumSize + 1)
        let error = #expect(throws: TrackError.self) { try Track(reading: bytes) }
        #expect(error?.reason == .tooLarge)
    }

    @Test func `An entity that would grow exponentially is refused`() {
        let levels = (1...20).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);'>" }
        let text =
            "<!DOCTYPE gpx [<!ENTITY e0 'eeeeeeee'>\(levels.joined())]><gpx><name>&e20;</name></gpx>"
        let error = #expect(throws: TrackError.self) { try Track(reading: Array(text.utf8)) }
        #expect(error?.reason == .malformed("it has a document type declaration"))
    }
}
