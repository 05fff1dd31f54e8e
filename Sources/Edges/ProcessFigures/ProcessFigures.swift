internal import Glibc
internal import Numbers

/// The kernel's figures about this process.
public struct ProcessFigures: Sendable {
    /// In seconds, user and system.
    public let processorTime: Int64
    /// Resident, in bytes.
    public let memory: Int64
    public let openDescriptors: Int64
    public let maximumDescriptors: Int64

    /// Members are 0 if the kernel does not report them.
    public init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorTime = Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        maximumDescriptors = Int64(clamping: limit.rlim_cur)
        openDescriptors = ProcessFigures.count(in: "/proc/self/fd")
        memory = ProcessFigures.residentPages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Returns the figures by the names of their metrics.
    ///
    /// - Parameter part: this process, as the metrics' label.
    public func metrics(of part: Part) -> [String: Int64] {
        [
            "process-cpu-seconds-\(part)": processorTime,
            "process-resident-memory-bytes-\(part)": memory,
            "process-open-fds-\(part)": openDescriptors,
            "process-max-fds-\(part)": maximumDescriptors,
        ]
    }

    public enum Part: String, Sendable, CustomStringConvertible {
        case bridge, broker, page

        public var description: String { rawValue }
    }

    private static func count(in directory: String) -> Int64 {
        // Since Linux 6.2 the directory's size is the number. Listing many takes milliseconds, and
        // the broker has one thread.
        var status = stat()
        if stat(directory, &status) == 0, status.st_size > 0 { return Int64(status.st_size) }
        guard let stream = opendir(directory) else { return 0 }
        defer { closedir(stream) }
        var count: Int64 = 0
        while readdir(stream) != nil { count += 1 }
        // The directory, its parent, and the descriptor that reads it.
        return max(0, count - 3)
    }

    private static var residentPages: Int64 {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let length = fread(&line, 1, line.count, file)
        let words = line[..<length].split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int64(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }
}
