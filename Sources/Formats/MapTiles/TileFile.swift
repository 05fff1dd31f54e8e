internal import Foundation
internal import GRDB
internal import Numbers

/// An MBTiles file (MBTiles 1.3): an SQLite database with the raster tiles of a map. It is only
/// read, and not on the caller's thread: SQLite works on a queue of its own.
public struct TileFile: Sendable {
    public static let zooms = 0...25
    /// Longer than any genuine attribution.
    private static let longestAttribution = 1000

    public let name: String
    public let format: TileFormat
    public let zooms: ClosedRange<Int>
    public let bounds: TileBounds?
    /// As in the file: text with links, in HTML. Code that shows it must not trust it.
    public let attribution: String
    /// Changes with every change of the file.
    public let version: String

    private let queue: DatabaseQueue

    public init(path: String) throws(TileFileError) {
        let attributes = try TileFile.attributes(path)
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cache_size = -4096")
        }
        var metadata: [String: String] = [:]
        var range: ClosedRange<Int>?
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            (metadata, range) = try queue.read { database in
                for table in ["metadata", "tiles"] {
                    let found = try database.tableExists(table)
                    guard try found || database.viewExists(table) else {
                        throw TileFileError.noTable(table)
                    }
                }
                return (
                    try TileFile.metadata(database), try TileFile.zoomRange(database)
                )
            }
        } catch {
            throw TileFileError(error)
        }
        guard let written = metadata["format"] else { throw .noMetadata("format") }
        if written == "pbf" || written == "mvt" { throw .vectorTiles }
        guard let format = TileFormat(metadata: written) else { throw .unknownFormat }
        guard let range else { throw .noTiles }
        guard TileFile.zooms.contains(range.lowerBound), TileFile.zooms.contains(range.upperBound)
        else { throw .zoomOutOfRange }
        name = metadata["name"] ?? ""
        self.format = format
        zooms = range
        bounds = metadata["bounds"].flatMap { TileBounds(metadata: $0) }
        let credit = metadata["attribution"] ?? ""
        attribution = credit.count <= TileFile.longestAttribution ? credit : ""
        version = attributes
    }

    /// Returns a tile by its place in the scheme of web maps, in which row 0 is in the north. Nil
    /// if the file has none there.
    public func tile(zoom: Int, column: Int, row: Int) async throws(TileFileError) -> [UInt8]? {
        guard zooms.contains(zoom) else { return nil }
        let side = 1 << zoom
        guard (0..<side).contains(column), (0..<side).contains(row) else { return nil }
        do {
            return try await queue.read { database in
                let statement = try database.cachedStatement(
                    sql: """
                        SELECT tile_data FROM tiles
                        WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                        """)
                // The file counts its rows from the south.
                let data = try Data.fetchOne(
                    statement, arguments: [zoom, column, side - 1 - row])
                return data.map { Array($0) }
            }
        } catch {
            throw TileFileError(error)
        }
    }

    /// Checks that the file has a name, and that samples of its tiles are of its format; slow, so
    /// only for operators.
    public func check() throws(TileFileError) {
        if name.isEmpty { throw .noMetadata("name") }
        do {
            try queue.read { database in
                for zoom in zooms {
                    let samples = try Data.fetchAll(
                        database,
                        sql: "SELECT tile_data FROM tiles WHERE zoom_level = ? LIMIT 3",
                        arguments: [zoom])
                    for sample in samples where TileFormat(of: Array(sample)) != format {
                        throw TileFileError.wrongBytes(zoom: zoom)
                    }
                }
            }
        } catch {
            throw TileFileError(error)
        }
    }

    /// Returns the number of tiles, which requires reading the whole index.
    public func count() throws(TileFileError) -> Int {
        do {
            return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tiles") ?? 0 }
        } catch {
            throw TileFileError(error)
        }
    }

    // MARK: Reading

    private static func metadata(_ database: Database) throws -> [String: String] {
        var found: [String: String] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT name, value FROM metadata LIMIT 200")
        while let row = try rows.next() {
            guard let name = row[0] as String?, let value = row[1] as String? else { continue }
            found[name] = value
        }
        return found
    }

    /// Two queries, since SQLite answers each with one index lookup.
    private static func zoomRange(_ database: Database) throws -> ClosedRange<Int>? {
        guard
            let least = try Int.fetchOne(database, sql: "SELECT min(zoom_level) FROM tiles"),
            let most = try Int.fetchOne(database, sql: "SELECT max(zoom_level) FROM tiles")
        else { return nil }
        // SQLite sorts numbers before text, which is still read as a number.
        guard least <= most else { throw TileFileError.zoomOutOfRange }
        return least...most
    }

    /// Returns the size and time, in characters that an address may have.
    private static func attributes(_ path: String) throws(TileFileError) -> String {
        for journal in ["-wal", "-journal"]
        where FileManager.default.fileExists(atPath: path + journal) {
            throw .stillWritten
        }
        do {
            let found = try FileManager.default.attributesOfItem(atPath: path)
            let size = (found[.size] as? NSNumber)?.int64Value ?? 0
            let time = (found[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(String(size, radix: 36))-\(String(Int64(clamping: time * 1000), radix: 36))"
        } catch {
            throw .unreadable(ResultCode.SQLITE_CANTOPEN.rawValue)
        }
    }
}

extension TileFileError {
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as TileFileError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB: self = .notSQLite
        case let error as DatabaseError: self = .unreadable(error.resultCode.rawValue)
        default: self = .unreadable(ResultCode.SQLITE_ERROR.rawValue)
        }
    }
}
