internal import FoundationEssentials
internal import Glibc
internal import Logging

/// A Mosquitto whose owner is gone and that is still there: it acknowledges what nobody reads, has
/// the port, and writes to the file from which the next one would begin.
///
/// Its watchdog ends it within ``BrokerSettings/patience``, unless somebody killed that as well.
struct Orphan {
    let process: Int32
    let configuration: String

    /// Those with this configuration. Only its owner may ask: to anybody else they are none.
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

    /// Asks it to save what it has and to end, and insists; gives up after twice the patience.
    func end(within patience: Duration, _ logger: Logger) async {
        logger.warning(
            "a mosquitto that has lost its owner is ended first",
            metadata: ["process": "\(process)"])
        if isThere { kill(process, SIGTERM) }
        let deadline = ContinuousClock.now + patience
        while isThere {
            let now = ContinuousClock.now
            // Another user's, or stuck in the kernel: the port says so soon enough.
            if Task.isCancelled || now >= deadline + patience { return }
            if now >= deadline { kill(process, SIGKILL) }
            await pause(.milliseconds(10))
        }
    }

    /// Whether the process is still this one: numbers are given again.
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
