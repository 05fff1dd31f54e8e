internal import Foundation

/// The resources that a process has used so far, from `/proc`.
struct Usage: Sendable {
    /// Seconds, user and system.
    let cpu: Double
    /// The peak memory, in bytes.
    let peakMemory: Int
    /// The current memory, in bytes.
    let memory: Int

    /// - Returns: zeros if the process has ended.
    static func of(_ process: Int32) -> Usage {
        let statistics = text("/proc/\(process)/stat")
        // After the name in brackets: state, …, then utime and stime as fields 14 and 15.
        let fields = statistics.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        let status = text("/proc/\(process)/status").split(separator: "\n")
        func kilobytes(_ name: String) -> Int {
            status.first { $0.hasPrefix(name) }?
                .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return Usage(
            cpu: ticks / Double(sysconf(Int32(_SC_CLK_TCK))),
            peakMemory: kilobytes("VmHWM") * 1024, memory: kilobytes("VmRSS") * 1024)
    }

    /// Waits until the process is idle; a minute at most.
    static func rest(of process: Int32) async {
        var last = of(process).cpu
        for _ in 0..<120 {
            do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
            let now = of(process).cpu
            if now - last < 0.03 { return }
            last = now
        }
    }

    private static func text(_ path: String) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            return ""
        }
    }
}
