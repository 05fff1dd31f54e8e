internal import FoundationEssentials
internal import Glibc
package import Logging

/// A child process that has outlived its owner: it acknowledges messages that no one reads,
/// occupies a port, or holds the lock of the database.
///
/// Its watchdog ends it within seconds, unless the watchdog was also killed.
package struct Orphan: Sendable {
    private let process: Int32
    private let isOrphan: @Sendable (Int32) -> Bool

    /// Returns the orphans among all processes. Only their next owner may call this: for all
    /// others, these processes are not orphans.
    ///
    /// - Parameter isOrphan: whether a process is one; called again before each signal, since
    ///   process identifiers are reused.
    package static func all(where isOrphan: @escaping @Sendable (Int32) -> Bool) -> [Orphan] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        } catch {
            return []
        }
        return names.compactMap { Int32($0) }.filter(isOrphan)
            .map { Orphan(process: $0, isOrphan: isOrphan) }
    }

    /// Asks it to end, then kills it; gives up after twice the patience.
    ///
    /// - Parameter name: the process in the log: `a mosquitto`.
    package func end(_ name: String, within patience: Duration, _ logger: Logger) async {
        logger.warning(
            "ending \(name) that an earlier run left behind",
            metadata: ["process": "\(process)"])
        if isThere { kill(process, SIGTERM) }
        let deadline = ContinuousClock.now + patience
        while isThere {
            let now = ContinuousClock.now
            // It belongs to another user or is stuck in the kernel; if so, the port check will fail
            // soon.
            if Task.isCancelled || now >= deadline + patience { return }
            if now >= deadline { kill(process, SIGKILL) }
            await pause(.milliseconds(10))
        }
    }

    /// Whether the process is still the same one.
    private var isThere: Bool { isOrphan(process) }
}

/// The kernel's information about a process (proc(5)).
package enum ProcessEntry {
    /// Returns an empty list if they cannot be read.
    package static func arguments(of process: Int32) -> [Substring] {
        strings("/proc/\(process)/cmdline")
    }

    /// Returns the value of a variable in the environment with which the process's program was
    /// started.
    package static func variable(_ name: String, of process: Int32) -> Substring? {
        strings("/proc/\(process)/environ").first { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1) }
    }

    package static func parent(of process: Int32) -> Int32? {
        // The name, in parentheses, may have any characters.
        text("/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ")
            .dropFirst().first.flatMap { Int32($0) }
    }

    private static func strings(_ path: String) -> [Substring] {
        text(path)?.split(separator: "\0") ?? []
    }

    private static func text(_ path: String) -> String? {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            return nil
        }
    }
}
