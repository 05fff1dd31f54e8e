import Foundation
import GRDB
import TestSupport
import Testing

@testable import MapTiles

/// MBTiles files as found in practice, and the errors of invalid ones.
struct TileFileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]

    /// A file with this metadata, and tiles at zoom, column and row, rows counted from the south.
    private func file(
        in directory: String, _ metadata: [String: String] = ["name": "Town", "format": "png"],
        tiles: [(Int, Int, Int, [UInt8])] = [(2, 1, 3, png)]
    ) throws -> String {
        let path = "\(directory)/\(UUID()).mbtiles"
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (
                        zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    """)
            for (name, value) in metadata {
                try database.execute(
                    sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
            for (zoom, column, row, bytes) in tiles {
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                    arguments: [zoom, column, row, Data(bytes)])
            }
        }
        try queue.close()
        return path
    }

    private func error(of path: String) -> TileFileError? {
        do throws(TileFileError) {
            try TileFile(path: path).check()
            return nil
        } catch {
            return error
        }
    }

    /// SQLite keeps text in a column of numbers, and sorts it after all of them.
    @Test func `A map whose largest zoom is text is refused, since its zooms cross`() async throws {
        try await withTemporaryDirectory { directory in
            let path = try file(in: directory, tiles: [(5, 0, 0, TileFileTests.png)])
            let queue = try DatabaseQueue(path: path)
            try await queue.write { database in
                try database.execute(
                    sql: "INSERT INTO tiles VALUES ('x', 0, 0, ?)",
                    arguments: [Data(TileFileTests.png)])
            }
            try queue.close()
            #expect(error(of: path) == .zoomOutOfRange)
        }
    }

    @Test func `A tile is found by its row, counted from the north as on the web`() async throws {
        try await withTemporaryDirectory { directory in
            let map = try TileFile(path: try file(in: directory))
            #expect(try await map.tile(zoom: 2, column: 1, row: 0) == TileFileTests.png)
            #expect(try await map.tile(zoom: 2, column: 1, row: 3) == nil)
            for (zoom, column, row) in [(2, -1, 0), (2, 4, 0), (2, 1, 4), (1, 0, 0), (60, 0, 0)] {
                #expect(try await map.tile(zoom: zoom, column: column, row: row) == nil)
            }
            #expect(map.zooms == 2...2)
            #expect(try map.count() == 1)
        }
    }

    @Test func `Valid metadata is read, and invalid metadata is omitted`() async throws {
        try await withTemporaryDirectory { directory in
            let whole = try TileFile(
                path: try file(
                    in: directory,
                    [
                        "name": "Town", "format": "image/png", "attribution": "© A <b>B</b>",
                        "bounds": "7.3, 43.5,7.6,43.9",
                    ]))
            #expect(whole.name == "Town")
            #expect(whole.attribution == "© A <b>B</b>")
            #expect(whole.bounds?.west == 7.3)
            #expect(whole.bounds?.north == 43.9)
            for bounds in ["", "1,2,3", "3,2,1,4", "1,91,2,92", "nan,0,1,1", "x,0,1,1"] {
                let map = try TileFile(
                    path: try file(
                        in: directory,
                        [
                            "name": "Town", "format": "png", "bounds": bounds,
                            "attribution": String(repeating: "x", count: 1001),
                        ]))
                #expect(map.bounds == nil)
                #expect(map.attribution.isEmpty)
            }
        }
    }

    @Test func `A file that is not a raster map is refused with the reason`() async throws {
        try await withTemporaryDirectory { directory in
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
            let cases: [(String, TileFileError?)] = [
                (try file(in: directory), nil),
                (try file(in: directory, ["format": "png"]), .noMetadata("name")),
                (try file(in: directory, ["name": "Town"]), .noMetadata("format")),
                (try file(in: directory, ["name": "Town", "format": "pbf"]), .vectorTiles),
                (try file(in: directory, ["name": "Town", "format": "gif"]), .unknownFormat),
                (try file(in: directory, tiles: []), .noTiles),
                (try file(in: directory, tiles: [(26, 0, 0, TileFileTests.png)]), .zoomOutOfRange),
                (
                    try file(
                        in: directory, tiles: [(1, 0, 0, TileFileTests.png), (2, 0, 0, jpeg)]),
                    .wrongBytes(zoom: 2)
                ),
                ("\(directory)/nothing.mbtiles", .unreadable(14)),
            ]
            for (path, expected) in cases { #expect(error(of: path) == expected) }

            let text = "\(directory)/text.mbtiles"
            try Data(String(repeating: "no database ", count: 100).utf8)
                .write(to: URL(fileURLWithPath: text))
            #expect(error(of: text) == .notSQLite)
            let other = "\(directory)/other.sqlite"
            try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE a (b)") }
            #expect(error(of: other) == .noTable("metadata"))
        }
    }

    @Test func `A file that is still being written is refused`() async throws {
        try await withTemporaryDirectory { directory in
            let path = try file(in: directory)
            try Data().write(to: URL(fileURLWithPath: path + "-wal"))
            #expect(error(of: path) == .stillWritten)
        }
    }

    @Test func `Reading a file does not change it`() async throws {
        try await withTemporaryDirectory { directory in
            let path = try file(in: directory)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let map = try TileFile(path: path)
            _ = try await map.tile(zoom: 2, column: 1, row: 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
        }
    }

    @Test(arguments: [
        (TileFileTests.png, TileFormat.png), ([0xFF, 0xD8, 0xFF, 0xDB], .jpeg),
        (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
    ])
    func `A format is detected by its first bytes`(_ bytes: [UInt8], _ format: TileFormat) {
        #expect(TileFormat(of: bytes) == format)
        for count in 0..<3 { #expect(TileFormat(of: Array(bytes.prefix(count))) == nil) }
    }
}
