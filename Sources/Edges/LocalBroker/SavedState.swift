internal import FoundationEssentials
internal import Glibc
internal import Subprocess

/// The file in which Mosquitto saves its sessions, their queued messages and the retained messages.
struct SavedState {
    let directory: String

    static let name = "mosquitto.db"
    /// How many damaged files are kept; the newest are.
    static let kept = 3

    /// Whether the file exists but is empty: a disk has lost its contents.
    var isEmpty: Bool {
        var status = stat()
        return stat("\(directory)/\(SavedState.name)", &status) == 0 && status.st_size == 0
    }

    /// Returns whether the file made Mosquitto fail at its start: it reported so, or it crashed
    /// while reading.
    static func isBlamed(by complaints: [String], _ status: TerminationStatus) -> Bool {
        if complaints.contains(where: { $0.contains("open database") }) { return true }
        guard case .signaled(let number) = status else { return false }
        return [SIGSEGV, SIGBUS, SIGABRT].contains(number)
    }

    /// Moves the file out of the way, so that Mosquitto starts with a new one.
    ///
    /// - Returns: the new name of the damaged file; nil if there was none.
    func putAside(at date: Date) throws(BrokerError) -> String? {
        let path = "\(directory)/\(SavedState.name)"
        do {
            let files = FileManager.default
            guard files.fileExists(atPath: path) else { return nil }
            let prefix = SavedState.name + ".damaged-"
            let earlier = try files.contentsOfDirectory(atPath: directory)
                .filter { $0.hasPrefix(prefix) }.sorted()
            for name in earlier.dropLast(SavedState.kept - 1) {
                try files.removeItem(atPath: "\(directory)/\(name)")
            }
            // A second one within the same second gets a later name.
            let name = prefix + date.formatted(.iso8601.timeSeparator(.omitted))
            let new = earlier.contains(name) ? name + "-2" : name
            if files.fileExists(atPath: "\(directory)/\(new)") {
                try files.removeItem(atPath: "\(directory)/\(new)")
            }
            try files.moveItem(atPath: path, toPath: "\(directory)/\(new)")
            return new
        } catch {
            throw .file(path: path, reason: "it is damaged and cannot be moved aside")
        }
    }
}
