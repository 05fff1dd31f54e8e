import ArgumentParser
import Foundation
import Web

/// The map under the people on the page, if the configuration names none: chosen with `--map`, or
/// once by the user who runs `kith up` in a terminal.
enum MapChoice: ExpressibleByArgument, Equatable {
    /// OpenStreetMap's own tiles: their server learns viewers' addresses, and which places they
    /// view.
    case openStreetMap
    /// The bundled map of the world.
    case none
    case file(String)

    init?(argument: String) {
        switch argument {
        case "": return nil
        case "osm": self = .openStreetMap
        case "none": self = .none
        default: self = .file(argument)
        }
    }

    func apply(to settings: inout WebSettings) {
        (settings.map, settings.tiles) = (nil, nil)
        switch self {
        case .openStreetMap: settings.tiles = .openStreetMap
        case .none: break
        case .file(let path): settings.map = path
        }
    }
}

extension MapChoice {
    private static let question = """
        There is no street map yet. Kith can show the tiles of openstreetmap.org: its server then
        sees the addresses of users who view the map, and which places they view. Without them the
        page has a map of the world with cities, rivers and borders. A street map of your own
        keeps this private: kith map add FILE (docs/map.md).
        Show the tiles of openstreetmap.org? [y/N]
        """

    /// Returns the earlier answer. Nil if the question has not been asked.
    static func kept(in directory: String) -> MapChoice? {
        guard let data = FileManager.default.contents(atPath: path(directory)) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return text.hasPrefix("osm") ? .openStreetMap : MapChoice.none
    }

    /// Asks on a terminal, and keeps the answer. Nil if there is no terminal, or the shell runs
    /// this in the background: then reading from it would stop everything.
    static func ask(keptIn directory: String) throws -> MapChoice? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            tcgetpgrp(STDIN_FILENO) == getpgrp()
        else { return nil }
        print(question, terminator: " ")
        fflush(nil)
        guard let answer = readLine() else { return nil }
        let isYes = ["y", "yes"].contains(answer.lowercased())
        guard
            FileManager.default.createFile(
                atPath: path(directory), contents: Data((isYes ? "osm\n" : "none\n").utf8))
        else { throw Complaint("The answer cannot be written to \(directory).") }
        return isYes ? .openStreetMap : MapChoice.none
    }

    private static func path(_ directory: String) -> String { "\(directory)/map-choice" }
}

extension WebSettings.Tiles {
    static var openStreetMap: WebSettings.Tiles {
        WebSettings.Tiles(
            url: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
            attribution: """
                © <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors
                """,
            maximumZoom: 19)
    }
}
