internal import Foundation

/// The template of the broker's configuration.
public enum BrokerTemplate {
    /// - Parameter isForPhones: whether other machines reach the broker.
    public static func find(isForPhones: Bool = false) throws -> String {
        let name = "broker-config/\(isForPhones ? "production" : "development").conf"
        guard let found = InstalledFile.find("share/kith/\(name)", inSourceTree: name) else {
            throw BrokerError.missing(
                "There is no \(name) beside this program: give one with --broker-config.")
        }
        return found
    }
}

/// The plugin for Mosquitto.
public enum GateLibrary {
    public static func find() throws -> String {
        let name = "libKithGate.so"
        guard let found = InstalledFile.find("lib/kith/\(name)", beside: name) else {
            throw BrokerError.missing(
                "There is no \(name) beside this program: build that product too.")
        }
        return found
    }
}

/// Finds files that belong to this program relative to the program itself, with links resolved, and
/// never in the working directory: the broker executes the plugin and obeys its configuration.
public enum InstalledFile {
    /// - Parameters:
    ///   - packaged: relative to the directory above the program's, as in `/usr/local/bin/kith`.
    ///   - neighbour: relative to the program's own directory.
    ///   - source: relative to the source tree from which the program was built.
    public static func find(
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
