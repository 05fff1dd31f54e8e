import Foundation
import GRDB
import MapTiles

/// MBTiles files: the bytes of a database, or the rows of one.
///
/// Each line is a row, with words between single spaces, and the rest as the value:
///
///     m bounds 7.3,43.5,7.6,43.9    metadata
///     t 5 16 11 …                   a tile: zoom, column, row and bytes; all but numbers are
///                                   texts, and `null` is NULL
enum Maps {
    private static let maximumLines = 64

    static func read(_ bytes: [UInt8]) throws {
        let isDatabase = bytes.starts(with: "SQLite format 3\0".utf8)
        let path = try isDatabase ? Scratch.write(bytes, as: "raw.mbtiles") : made(of: bytes)
        defer { if isDatabase { Scratch.removeDatabase(path) } }
        let file: TileFile
        do throws(TileFileError) {
            file = try TileFile(path: path)
        } catch {
            return try expect(!error.description.isEmpty, "a refusal has a reason")
        }
        try check(file)
        do throws(TileFileError) {
            try file.check()
            _ = try file.count()
        } catch {
            try expect(!error.description.isEmpty, "a refusal has a reason")
        }
    }

    private static func check(_ file: TileFile) throws {
        try expect(
            TileFile.zooms.contains(file.zooms.lowerBound)
                && TileFile.zooms.contains(file.zooms.upperBound), "zooms are those of web maps")
        try expect(file.attribution.count <= 1_000, "an attribution is short")
        if let bounds = file.bounds {
            try expect(
                bounds.west < bounds.east && bounds.south < bounds.north
                    && abs(bounds.west) <= 180 && abs(bounds.north) <= 90,
                "bounds are a part of the world")
        }
        let zoom = file.zooms.lowerBound
        for place in [0, -1, (1 << zoom) - 1, 1 << zoom, Int.max, Int.min] {
            let isInside = (0..<(1 << zoom)).contains(place)
            let tile = try waiting { await Maps.tile(of: file, zoom, place) }
            try expect(tile == nil || isInside, "there are no tiles outside the world")
        }
    }

    /// Nil also if the file turns out to be damaged.
    private static func tile(of file: TileFile, _ zoom: Int, _ place: Int) async -> [UInt8]? {
        do {
            return try await file.tile(zoom: zoom, column: place, row: place)
        } catch {
            return nil
        }
    }

    /// A file with one tile, in the northwest of zoom 2.
    ///
    /// - Returns: its path.
    static func sound() throws -> String {
        let path = try Scratch.path("sound.mbtiles")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (
                        zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES ('name', 'Town'), ('format', 'png');
                    INSERT INTO tiles VALUES (2, 0, 3, x'89504E470D0A1A0A01');
                    """)
        }
        try queue.close()
        return path
    }

    // MARK: Rows

    /// One file for all inputs: making one takes longer than reading it.
    private static let writer: Result<DatabaseQueue, any Error> = Result { () throws in
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
        }
        let queue = try DatabaseQueue(
            path: try Scratch.path("rows.mbtiles"), configuration: configuration)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name, value);
                    CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
                    """)
        }
        return queue
    }

    private static func made(of bytes: [UInt8]) throws -> String {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
            .prefix(maximumLines)
        try writer.get().write { database in
            try database.execute(sql: "DELETE FROM metadata; DELETE FROM tiles")
            for line in lines {
                let words = line.split(
                    separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
                switch String(decoding: words[0], as: UTF8.self) {
                case "m": try add(metadata: line, to: database)
                case "t" where words.count == 5:
                    try database.execute(
                        sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                        arguments: [
                            value(words[1]), value(words[2]), value(words[3]),
                            Data(words[4]).databaseValue,
                        ])
                default: break
                }
            }
        }
        return try Scratch.path("rows.mbtiles")
    }

    private static func add(metadata line: ArraySlice<UInt8>, to database: Database) throws {
        let words = line.split(
            separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3 else { return }
        try database.execute(
            sql: "INSERT INTO metadata VALUES (?, ?)",
            arguments: [
                String(decoding: words[1], as: UTF8.self),
                String(decoding: words[2], as: UTF8.self),
            ])
    }

    private static func value(_ word: ArraySlice<UInt8>) -> DatabaseValue {
        let text = String(decoding: word, as: UTF8.self)
        if text == "null" { return .null }
        if let whole = Int64(text) { return whole.databaseValue }
        return Double(text)?.databaseValue ?? text.databaseValue
    }
}
