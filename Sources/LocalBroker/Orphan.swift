internal import FoundationEssentials
internal import Glibc
internal import Logging

/// A Mosquitto that has outlived its owner: it acknowledges messages that nobody reads, occupies
/// the port, and writes to the file from which the next one would start.
///
/// Its watchdog ends it within ``BrokerSettings/patience``, unless that was killed as well.
struct Orphan {
    let process: Int32
    let configuration: String

    /// Returns the orphans with this configuration. Only its owner may ask: for anybody else, these
    /// processes are not orphans.
    static func all(with configuration: String) -> [Orphan] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        } catch {
            return []
        }
        return names.compactMap { Int32($0) }
            .map { Orphan(process: $0, configuration: configuration) }.filter(\.isThere)
    }

    /// Asks it to save its state and end, then kills it; gives up after twice the patience.
    func end(within patience: Duration, _ logger: Logger) async {
        logger.warning(
            "ending a mosquitto that an earlier run left behind",
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

    /// Whether the process is still the same one: process identifiers are reused.
    private var isThere: Bool {
        do {
            let line = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            let words = line.split(separator: "\0")
            return words.count == 3 && words[0].hasSuffix("mosquitto") && words[1] == "-c"
                && words[2] == configuration
        } catch {
            return false
        }
    }
}
