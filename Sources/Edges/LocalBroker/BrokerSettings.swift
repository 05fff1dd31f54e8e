internal import FoundationEssentials
internal import Glibc

/// The settings of a Mosquitto process.
public struct BrokerSettings: Sendable {
    /// The configuration template; `@PORT@`, `@DATA@` and the ``variables`` in it are replaced.
    public var template: String
    /// Further replacements: the key `GATE` replaces `@GATE@`.
    public var variables: [String: String] = [:]
    /// The directory for Mosquitto's persistence and its final configuration; created if it does
    /// not exist.
    public var dataDirectory: String
    public var port: UInt16
    /// The directories searched for `mosquitto`, those of `PATH` first. Debian installs it in one
    /// that is not in a user's `PATH`.
    public var executableDirectories: [String]
    /// How long it may take to end when asked to.
    public var patience = Duration.seconds(10)
    /// How long it may take to accept connections, which includes reading its saved state.
    public var mostPreparation = Duration.seconds(120)
    /// How long it may leave a new connection without an answer before it is killed.
    public var mostSilence = Duration.seconds(30)
    /// How often it is checked for a response.
    public var pulse = Duration.seconds(10)

    /// Makes room on a full disk for a configuration that has changed; false if it cannot.
    public var makeRoom: @Sendable () -> Bool = { false }

    public init(template: String, dataDirectory: String, port: UInt16 = 1883) {
        self.template = template
        self.dataDirectory = dataDirectory
        self.port = port
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        self.executableDirectories =
            path.split(separator: ":").map(String.init)
            + ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"]
    }

    func findExecutable() throws(BrokerError) -> String {
        let candidates = executableDirectories.map { $0 + "/mosquitto" }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw .notInstalled
        }
        return found
    }

    /// Writes the final configuration, readable only by its owner, if it has changed: a full disk
    /// has no room even for the same text.
    ///
    /// - Returns: the path of the file.
    func writeConfiguration() throws(BrokerError) -> String {
        guard !dataDirectory.contains(where: \.isNewline) else {
            throw .file(path: "its data directory", reason: "a line break in its name")
        }
        let directory = absolute(dataDirectory)
        let path = directory + "/mosquitto.conf"
        let text = try using(template) { () throws in
            try String(contentsOfFile: template, encoding: .utf8)
        }
        guard geteuid() != 0 || text.contains(/(?m)^user root$/) else { throw .startedByRoot }
        var final = text.replacing("@PORT@", with: "\(port)")
            .replacing("@DATA@", with: directory)
        for (name, value) in variables {
            guard !value.contains(where: \.isNewline) else {
                throw .file(path: "a path", reason: "a line break in its name")
            }
            final = final.replacing("@\(name)@", with: value)
        }
        try using(directory) { () throws in
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let isKnown = FileManager.default.contents(atPath: path) == Data(final.utf8)
        if isKnown, chmod(path, 0o600) == 0 { return path }
        func write() throws {
            try final.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        try using(path) { () throws in
            do {
                try write()
            } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
                guard makeRoom() else { throw error }
                try write()
            }
        }
        return path
    }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private func using<R>(_ path: String, _ work: () throws -> R) throws(BrokerError) -> R {
        do {
            return try work()
        } catch {
            throw .file(path: path, reason: reason(of: error))
        }
    }

    private func reason(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
        case .fileReadNoPermission, .fileWriteNoPermission: "no permission"
        case .fileWriteOutOfSpace: "the disk is full"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        default: "error \(error.code.rawValue)"
        }
    }
}
