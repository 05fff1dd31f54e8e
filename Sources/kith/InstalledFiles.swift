import Foundation
import Gazetteer
import Synchronization
import Tracking

/// The template of the broker's configuration.
enum BrokerTemplate {
    /// - Parameter isForPhones: whether others than this machine reach the broker.
    static func find(isForPhones: Bool = false) throws -> String {
        let name = "broker-config/\(isForPhones ? "production" : "development").conf"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw Complaint(
                "There is no \(name) beside this program: give one with --broker-config.")
        }
        return found
    }
}

/// The directory of the pages.
enum PagesDirectory {
    static func find() throws -> String {
        let name = "pages/index.html"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw Complaint(
                "There is no directory named pages beside this program: give one with --pages.")
        }
        return URL(fileURLWithPath: found).deletingLastPathComponent().path
    }
}

/// The street map of the demo. Without it the demo has the bundled world.
enum DemoMap {
    static func find() -> String? {
        let name = "demo/monaco.mbtiles"
        return InstalledFile.find("share/kith/\(name)", inSourceTree: name)
    }
}

/// What the server says in other languages: beside the pages.
enum LanguageFiles {
    /// Nil if there are none: then it speaks English.
    static func find() -> String? {
        let name = "pages/languages/de.json"
        return InstalledFile.find("share/kith/\(name)", inSourceTree: name).map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path
        }
    }
}

/// The cities by which positions are told, beside the pages. Without them alerts name no place.
enum CityFiles {
    /// Nothing waits for the files to be read: until then no place has a name.
    static func describePlace() -> @Sendable (Coordinate) -> PlaceDescription? {
        let cities = Cities()
        Thread.detachNewThread { cities.fill(gazetteer()) }
        return { cities.describe($0) }
    }

    private final class Cities: Sendable {
        private let gazetteer = Mutex<Gazetteer?>(nil)

        func fill(_ read: Gazetteer?) { gazetteer.withLock { $0 = read } }

        func describe(_ place: Coordinate) -> PlaceDescription? {
            gazetteer.withLock { $0?.describe(place) }
        }
    }

    private static func gazetteer() -> Gazetteer? {
        let name = "pages/world/cities"
        guard let folder = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            return nil
        }
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        // The overview has the largest ones of all others.
        let texts = (files ?? []).filter { $0.hasSuffix(".txt") && $0 != "overview.txt" }.sorted()
            .compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
        return Gazetteer(lines: texts.map { String(decoding: $0, as: UTF8.self) }.joined())
    }
}

/// The plugin for Mosquitto.
enum GateLibrary {
    static func find() throws -> String {
        let name = "libKithGate.so"
        guard let found = InstalledFile.find("lib/kith/\(name)", beside: name) else {
            throw Complaint("There is no \(name) beside this program: build that product as well.")
        }
        return found
    }
}

/// The program that makes certificates.
enum CertificateTool {
    static func find() throws -> String {
        let name = "tools/certificates"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw Complaint("There is no \(name) beside this program.")
        }
        return found
    }
}

/// Finds files that belong to this program relative to the program itself, with links resolved, and
/// never in the working directory: the broker executes the plugin and obeys its configuration.
private enum InstalledFile {
    /// - Parameters:
    ///   - packaged: relative to the directory above the program's, as in `/usr/local/bin/kith`.
    ///   - neighbour: relative to the program's own directory.
    ///   - source: relative to the source tree from which the program was built.
    static func find(
        _ packaged: String, beside neighbour: String? = nil, inSourceTree source: String? = nil
    ) -> String? {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let directory = program.deletingLastPathComponent()
        var candidates = [directory.deletingLastPathComponent().appending(path: packaged)]
        if let neighbour { candidates.insert(directory.appending(path: neighbour), at: 0) }
        if let source, let tree = sourceTree(of: directory) {
            candidates.insert(tree.appending(path: source), at: 0)
        }
        return candidates.map(\.path).first(where: FileManager.default.fileExists(atPath:))
    }

    /// The source tree whose `.build` contains the directory.
    private static func sourceTree(of directory: URL) -> URL? {
        var place = directory
        while place.path != "/" {
            let parent = place.deletingLastPathComponent()
            if place.lastPathComponent == ".build" { return parent }
            place = parent
        }
        return nil
    }
}
