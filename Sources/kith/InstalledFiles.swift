import Foundation

/// Where the template of the broker's configuration lies.
enum BrokerTemplate {
    static func find() throws -> String {
        let name = "broker-config/development.conf"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw Complaint(
                "There is no \(name) beside this program: name one with --broker-config.")
        }
        return found
    }
}

/// Where the pages lie.
enum PagesDirectory {
    static func find() throws -> String {
        let name = "pages/index.html"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw Complaint(
                "There is no directory pages beside this program: name one with --pages.")
        }
        return URL(fileURLWithPath: found).deletingLastPathComponent().path
    }
}

/// Where the plugin for Mosquitto lies.
enum GateLibrary {
    static func find() throws -> String {
        let name = "libKithGate.so"
        guard let found = InstalledFile.find("lib/kith/\(name)", beside: name) else {
            throw Complaint("There is no \(name) beside this program: build it, too.")
        }
        return found
    }
}

/// What belongs to this program is found from where the program itself lies, links followed, and
/// never in the working directory: the broker runs the plugin, and does what its configuration
/// says.
private enum InstalledFile {
    /// - Parameters:
    ///   - packaged: from the directory above the program's, as in `/usr/local/bin/kith`.
    ///   - neighbour: in the program's own directory.
    ///   - source: in the source tree from which the program was built.
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

    /// That in whose `.build` the directory lies.
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
