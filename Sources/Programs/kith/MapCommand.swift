import ArgumentParser
import Foundation
import MapTiles
import Web

struct MapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Install, show and remove the map whose tiles the page shows.",
        discussion: """
            The map is an MBTiles file with raster tiles (png, jpg or webp), which this server \
            serves itself: no one else learns who looks where. docs/map.md describes where to get \
            such files.
            """,
        subcommands: [Add.self, Show.self, Remove.self])
}

extension MapCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check an MBTiles file, and copy it into the data directory.")

        @Argument(help: "The file.", completion: .file(extensions: ["mbtiles"]))
        var file: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            try options.requireDirectory()
            let map = try InstalledMap.open(file)
            do {
                try map.check()
            } catch {
                throw Complaint("The map \(file) was not installed: \(error).")
            }
            try InstalledMap.install(file, in: options.data)
            try MapCommand.describe(map, at: options.mapPath)
            let settings = try await options.webSettings()
            if settings.tiles != nil {
                print("The page does not show it as long as web.tiles is in the configuration.")
            } else if settings.map != options.mapPath {
                print("The page does not show it as long as web.map names another file.")
            } else {
                print("The page shows it after the next start of kith.")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show which map the page uses.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            try options.requireDirectory()
            let settings = try await options.webSettings()
            if let file = settings.map {
                try MapCommand.describe(try InstalledMap.open(file), at: file)
            } else if let tiles = settings.tiles {
                print("Tiles of \(tiles.url): their server learns where people look.")
            } else {
                print("The bundled map of the world; there is no other. See: kith map add --help")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the map from the data directory.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            try options.requireDirectory()
            guard FileManager.default.fileExists(atPath: options.mapPath) else {
                throw Complaint("There is no map in \(options.data).")
            }
            do {
                try FileManager.default.removeItem(atPath: options.mapPath)
            } catch {
                throw Complaint("The map \(options.mapPath) cannot be removed.")
            }
            print("Removed the map. The page shows the bundled world after the next start of kith.")
        }
    }

    private static func zooms(_ map: TileFile) -> String {
        map.zooms.count == 1
            ? "zoom \(map.zooms.lowerBound)"
            : "zooms \(map.zooms.lowerBound) to \(map.zooms.upperBound)"
    }

    fileprivate static func describe(_ map: TileFile, at path: String) throws {
        let count: Int
        do {
            count = try map.count()
        } catch {
            throw Complaint("The map \(path) cannot be used: \(error).")
        }
        print("\(path): \(map.name), \(count) tiles (\(map.format.rawValue)), \(zooms(map))")
        if map.attribution.isEmpty {
            print("It names no one to credit: check what its data's licence requires.")
        }
    }
}
