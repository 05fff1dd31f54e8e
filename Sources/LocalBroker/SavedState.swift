internal import FoundationEssentials
internal import Glibc
internal import Subprocess

/// The file in which Mosquitto saves sessions, what waits in them, and what is retained.
struct SavedState {
    let directory: String

    static let name = "mosquitto.db"
    /// Of damaged files, the newest.
    static let kept = 3

    /// Whether that is why Mosquitto ended at its start: it said so, or it crashed as it read.
    static func isBlamed(by complaints: [String], _ status: TerminationStatus) -> Bool {
        if complaints.contains(where: { $0.contains("open database") }) { return true }
        guard case .signaled(let number) = status else { return false }
        return [SIGSEGV, SIGBUS, SIGABRT].contains(number)
    }

    /// Makes room for a new one.
    ///
    /// - Returns: what the damaged one is called now; nil where there is none.
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
            // A second one within a second has a later name.
            let name = prefix + date.formatted(.iso8601.timeSeparator(.omitted))
            let new = earlier.contains(name) ? name + "-2" : name
            if files.fileExists(atPath: "\(directory)/\(new)") {
                try files.removeItem(atPath: "\(directory)/\(new)")
            }
            try files.moveItem(atPath: path, toPath: "\(directory)/\(new)")
            return new
        } catch {
            throw .file(path: path, reason: "it is damaged, and cannot be put aside")
        }
    }
}
