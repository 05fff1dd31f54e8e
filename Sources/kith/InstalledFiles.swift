import Foundation

/// Where the template of the broker's configuration lies.
enum BrokerTemplate {
    static func find() throws -> String {
        let name = "broker-config/development.conf"
        guard let found = InstalledFile.find(name, elsewhere: ["share/kith/\(name)"]) else {
            throw Complaint("There is no \(name) here: name one with --broker-config.")
        }
        return found
    }
}

/// Where the pages lie.
enum PagesDirectory {
    static func find() throws -> String {
        guard
            let found = InstalledFile.find(
                "pages/index.html", elsewhere: ["share/kith/pages/index.html"])
        else { throw Complaint("There is no directory pages here: name one with --pages.") }
        return URL(fileURLWithPath: found).deletingLastPathComponent().path
    }
}

/// Where the plugin for Mosquitto lies.
enum GateLibrary {
    static func find() throws -> String {
        let name = "libKithGate.so"
        guard let found = InstalledFile.find(name, elsewhere: ["lib/kith/\(name)"]) else {
            throw Complaint("There is no \(name) beside this program: build it, too.")
        }
        return URL(fileURLWithPath: found).path
    }
}

private enum InstalledFile {
    /// Below the working directory, beside the program or above it, in the source tree or where
    /// a package would put it.
    static func find(_ name: String, elsewhere: [String]) -> String? {
        var candidates = [name]
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            directory = directory.deletingLastPathComponent()
            candidates += ([name] + elsewhere).map { directory.appending(path: $0).path }
        }
        return candidates.first(where: FileManager.default.fileExists(atPath:))
    }
}
