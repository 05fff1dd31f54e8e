import Foundation
import MapTiles

/// The map in the data directory: the file `map.mbtiles`.
enum InstalledMap {
    static func open(_ path: String) throws -> TileFile {
        do {
            return try TileFile(path: path)
        } catch {
            throw Complaint("The map \(path) cannot be used: \(error).")
        }
    }

    /// Installs a map file atomically: a page that shows the old one continues to do so.
    static func install(_ file: String, in directory: String) throws {
        let target = URL(fileURLWithPath: "\(directory)/map.mbtiles")
        let copy = URL(fileURLWithPath: "\(directory)/map.mbtiles.new")
        let files = FileManager.default
        do {
            if files.fileExists(atPath: copy.path) { try files.removeItem(at: copy) }
            try files.copyItem(at: URL(fileURLWithPath: file), to: copy)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
            guard rename(copy.path, target.path) == 0 else {
                throw Complaint("The map cannot be written to \(directory) (error \(errno)).")
            }
        } catch let error as Complaint {
            throw error
        } catch {
            throw Complaint("The map cannot be copied to \(directory).")
        }
    }
}

extension DataOptions {
    var mapPath: String { "\(data)/map.mbtiles" }
}
