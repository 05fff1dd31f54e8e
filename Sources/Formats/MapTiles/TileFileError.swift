/// Why a file cannot be the map. None of the descriptions repeats anything from the file.
public enum TileFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's code.
    case unreadable(Int32)
    case notSQLite
    /// The missing table.
    case noTable(String)
    /// The missing row of the table `metadata`.
    case noMetadata(String)
    case vectorTiles
    case unknownFormat
    case noTiles
    /// A tile at this zoom is not of the stated format.
    case wrongBytes(zoom: Int)
    case zoomOutOfRange
    /// There is a journal beside the file.
    case stillWritten

    public var description: String {
        switch self {
        case .unreadable(let code): "the file cannot be read (SQLite's error \(code))"
        case .notSQLite: "it is not an SQLite database, which every MBTiles file is"
        case .noTable(let name): "it has no table \(name), which every MBTiles file has"
        case .noMetadata(let name): "its metadata has no \(name)"
        case .vectorTiles:
            "it has vector tiles (pbf). Kith shows raster tiles: png, jpg or webp. Vector tiles "
                + "would need a renderer, fonts and a style in the page; docs/map.md describes "
                + "how to make raster tiles of them"
        case .unknownFormat: "its tiles are neither png nor jpg nor webp"
        case .noTiles: "there is no tile in it"
        case .wrongBytes(let zoom):
            "tiles of zoom \(zoom) are not in the format that its metadata states"
        case .zoomOutOfRange: "it has zooms beyond \(TileFile.zooms.upperBound)"
        case .stillWritten:
            "another program is still writing it: there is a journal beside it"
        }
    }
}
