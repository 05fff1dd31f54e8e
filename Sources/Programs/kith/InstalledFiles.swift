import Foundation
import Gazetteer
import LocalBroker
import Synchronization
import Tracking

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

/// The server's texts in other languages, beside the pages.
enum LanguageFiles {
    /// Returns nil if there are none: then the server uses English.
    static func find() -> String? {
        let name = "pages/languages/de.json"
        return InstalledFile.find("share/kith/\(name)", inSourceTree: name).map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().path
        }
    }
}

/// The cities by which positions are described, beside the pages. Without them alerts name no
/// place.
enum CityFiles {
    /// Does not wait for the files to be read: until then no place has a name.
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
