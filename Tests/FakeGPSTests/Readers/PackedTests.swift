import Archive
import Contract
import Testing
import Tracking

@testable import FakeGPS

/// Tracks in archives, FIT files and Kith's own exports.
struct PackedTests {
    private static let gpx = """
        <gpx version="1.1"><trk><trkseg>
          <trkpt lat="45.5" lon="9.25"><time>2026-05-01T10:00:00Z</time></trkpt>
          <trkpt lat="45.6" lon="9.25"><time>2026-05-01T10:00:05Z</time></trkpt>
        </trkseg></trk></gpx>
        """
    private static let expected = [sample(0, 45.5, 9.25), sample(5, 45.6, 9.25)]

    private func zip(_ files: [(name: String, text: String)]) throws -> [UInt8] {
        let out = Bytes()
        let writer = try ZIPWriter { bytes throws(ArchiveError) in out.bytes += bytes }
        for file in files {
            try writer.beginEntry(file.name, at: Timestamp(milliseconds: 0))
            try writer.write(Array(file.text.utf8))
        }
        try writer.finish()
        return out.bytes
    }

    private final class Bytes { var bytes: [UInt8] = [] }

    /// Packed without being compressed.
    private func gzip(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        func number(_ value: UInt32, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = UInt32(bytes.count)
        let block = [1] + number(count, 2) + number(~count, 2) + bytes
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + block + number(~sum, 4) + number(count, 4)
    }

    @Test func `A gzipped track is read like the file in it`() throws {
        #expect(try Track(reading: gzip(Self.gpx)).samples == Self.expected)
    }

    @Test func `A track in a ZIP file is found by its name`() throws {
        let archive = try zip([("notes.txt", "hello"), ("day/Run.GPX", Self.gpx)])
        #expect(try Track(reading: archive).samples == Self.expected)
    }

    @Test func `An archive that has no track, is damaged or is too large is refused`() throws {
        let none = try zip([("notes.txt", "hello")])
        #expect(throws: TrackError(.noTrack)) { try Track(reading: none) }
        let damaged = Array(gzip(Self.gpx).prefix(40))
        let error = #expect(throws: TrackError.self) { try Track(reading: damaged) }
        #expect(error?.description.contains("unpacked") == true)
        let tooLarge = #expect(throws: ArchiveError.self) {
            try ArchiveReader.files(in: gzip(Self.gpx), atMost: 100)
        }
        #expect(tooLarge?.reason.contains("too much") == true)
    }

    @Test func `The fixes of an exported account are its track`() throws {
        let fix = { (seconds: Int, latitude: Double) in
            #"{"latitude":\#(latitude),"longitude":9.25,"timestamp":"2026-05-01T10:00:0\#(seconds).000Z"}"#
        }
        let fixes = #"[{"device":"phone","fixes":[\#(fix(0, 45.5)),\#(fix(5, 45.6))]}]"#
        let archive = try zip([
            ("account.json", "{}"), ("paths.gpx", "<gpx/>"), ("fixes.json", fixes),
        ])
        #expect(try Track(reading: archive).samples == Self.expected)
        let points = [(0, 45.5), (5, 45.6)].map {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.25,\#($0.1)]},"properties":\#(fix($0.0, $0.1))}"#
        }
        let collection =
            #"{"type":"FeatureCollection","features":[\#(points.joined(separator: ","))]}"#
        #expect(try Track(reading: Array(collection.utf8)).samples == Self.expected)
        let error = #expect(throws: TrackError.self) {
            try Track(reading: Array(#"[{"fixes":[{"latitude":91,"longitude":0}]}]"#.utf8))
        }
        #expect(error?.description.contains("no position") == true)
    }

    // MARK: FIT

    /// A file with two definitions, a full and a compressed time, and a message that is not a record.
    private func fit(isBigEndian: Bool = false) -> [UInt8] {
        func number(_ value: UInt32, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        func semicircles(_ degrees: Double) -> UInt32 {
            UInt32(bitPattern: Int32((degrees / 180 * 2_147_483_648).rounded()))
        }
        let time: UInt32 = 1_777_629_600 - 631_065_600  // 2026-05-01T10:00:00Z
        func definition(_ local: UInt8, _ message: UInt32, _ fields: [[UInt8]]) -> [UInt8] {
            [0x40 | local, 0, isBigEndian ? 1 : 0] + number(message, 2) + [UInt8(fields.count)]
                + fields.flatMap(\.self)
        }
        var data = definition(0, 23, [[253, 4, 0x86], [3, 4, 0x8C]])
        data += [0] + number(time, 4) + number(77, 4)
        data += definition(
            1, 20, [[253, 4, 0x86], [0, 4, 0x85], [1, 4, 0x85], [2, 2, 0x84], [3, 1, 2]])
        data += [1] + number(time, 4) + number(semicircles(45.5), 4)
        data += number(semicircles(9.25), 4) + number((120 + 500) * 5, 2) + [140]
        // Without a position.
        data += [1] + number(time + 2, 4) + number(0x7FFF_FFFF, 4) + number(0x7FFF_FFFF, 4)
        data += number(0xFFFF, 2) + [0xFF]
        data += definition(2, 20, [[0, 4, 0x85], [1, 4, 0x85]])
        data += [0x80 | 2 << 5 | UInt8((time + 5) & 0x1F)]
        data += number(semicircles(45.6), 4) + number(semicircles(9.25), 4)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
        return [14, 0x20, 0, 0] + size + Array(".FIT".utf8) + [0, 0] + data + [0, 0]
    }

    @Test(arguments: [false, true])
    func `A FIT file gives its records' positions, times and heights`(isBigEndian: Bool) throws {
        let samples = try Track(reading: fit(isBigEndian: isBigEndian)).samples
        #expect(samples.map(\.offset) == [.zero, .seconds(5)])
        #expect(samples.map(\.altitude) == [120, nil])
        let places = samples.map(\.coordinate)
        #expect(abs(places[0].latitude - 45.5) < 1e-6 && abs(places[0].longitude - 9.25) < 1e-6)
        #expect(abs(places[1].latitude - 45.6) < 1e-6)
    }

    @Test func `A truncated FIT file is read as far as possible or refused`() throws {
        let whole = fit()
        for count in 12..<whole.count {
            do {
                #expect(try Track(reading: Array(whole.prefix(count))).samples.count <= 2)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        var undefined = whole
        undefined[14] = 0x05
        #expect(throws: TrackError.self) { try Track(reading: undefined) }
    }
}
