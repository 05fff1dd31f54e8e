internal import Bridge
internal import Glibc

/// The kernel's information about processes (`proc(5)`).
enum ProcessFiles {
    /// Returns nil if there is no such process, or it is not visible.
    static func arguments(of process: Int64) -> [String]? {
        guard let bytes = contents("/proc/\(process)/cmdline"), !bytes.isEmpty else { return nil }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    static func user(of process: Int64) -> String? {
        var status = stat()
        guard stat("/proc/\(process)", &status) == 0 else { return nil }
        return userName(status.st_uid)
    }

    /// Returns whether the process's program file was replaced since it was started.
    static func isReplaced(_ process: Int64) -> Bool {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return String(decoding: path, as: UTF8.self).hasSuffix(" (deleted)")
    }

    /// Returns the processes, except one, that have locked a file for writing (`proc_locks(5)`):
    /// `sqlite3 (4711)`.
    static func writers(of paths: [String], besides process: Int64?) -> [String] {
        let inodes = paths.compactMap { path -> UInt? in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_ino : nil
        }
        let table = String(decoding: contents("/proc/locks") ?? [], as: UTF8.self)
        let writers = table.split(separator: "\n").compactMap { line -> Int64? in
            // 1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 120 120
            let columns = line.split(separator: " ")
            guard columns.count > 5, columns[3] == "WRITE", let writer = Int64(columns[4]),
                let inode = columns[5].split(separator: ":").last.flatMap({ UInt($0) }),
                inodes.contains(inode), writer > 0, writer != process
            else { return nil }
            return writer
        }
        return Set(writers).sorted().map { writer in
            let name = contents("/proc/\(writer)/comm").map { String(decoding: $0, as: UTF8.self) }
            return "\(name?.split(separator: "\n").first ?? "a process") (\(writer))"
        }
    }

    /// Returns whether files loaded by a Mosquitto with the plugin were replaced since: the plugin,
    /// and its program or library.
    ///
    /// - Parameter port: the port it listens on; there may be others on the machine.
    static func replacedFiles(ofBrokerAt port: Int) -> (plugin: Bool, mosquitto: Bool) {
        var found = (plugin: false, mosquitto: false)
        let sockets = listeningSockets(port)
        for name in Disk.names(in: "/proc") {
            guard Int64(name) != nil,
                let command = contents("/proc/\(name)/comm"),
                command.starts(with: "mosquitto".utf8),
                let maps = contents("/proc/\(name)/maps")
            else { continue }
            let text = String(decoding: maps, as: UTF8.self)
            guard text.contains("/libKithGate.so"), has(name, oneOf: sockets) else { continue }
            for line in text.split(separator: "\n") where line.hasSuffix(" (deleted)") {
                let file = line.dropLast(" (deleted)".count).split(separator: "/").last ?? ""
                if file == "libKithGate.so" { found.plugin = true }
                if file == "mosquitto" || file.hasPrefix("libmosquitto.so") {
                    found.mosquitto = true
                }
            }
        }
        return found
    }

    /// Returns a port's listener: the name of the program's file and its process; nil if that is
    /// not visible.
    static func listener(on port: Int) -> (program: String, process: String)? {
        let sockets = listeningSockets(port)
        guard !sockets.isEmpty else { return nil }
        for name in Disk.names(in: "/proc") where Int64(name) != nil && has(name, oneOf: sockets) {
            guard let command = contents("/proc/\(name)/comm") else { return nil }
            let program = String(decoding: command, as: UTF8.self)
                .split(separator: "\n").first.map(String.init)
            return (program ?? "a program", name)
        }
        return nil
    }

    private static func has(_ process: String, oneOf sockets: Set<UInt>) -> Bool {
        let descriptors = "/proc/\(process)/fd"
        return Disk.names(in: descriptors).contains { name in
            var status = stat()
            return stat("\(descriptors)/\(name)", &status) == 0 && sockets.contains(status.st_ino)
        }
    }

    /// Returns the inodes of the sockets that listen on a port: in `/proc/net/tcp` the second
    /// column is the local address in hexadecimal, the fourth the state (0A: listening), the tenth
    /// the inode.
    private static func listeningSockets(_ port: Int) -> Set<UInt> {
        let digits = String(port, radix: 16, uppercase: true)
        let end = ":" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path in
            String(decoding: contents(path) ?? [], as: UTF8.self).split(separator: "\n")
        }
        return Set(
            lines.compactMap { line in
                let columns = line.split(separator: " ")
                guard columns.count > 9, columns[1].hasSuffix(end), columns[3] == "0A" else {
                    return nil
                }
                return UInt(columns[9])
            })
    }

    /// `--port 1883` or `--port=1883`.
    static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
            if argument.hasPrefix("\(option)=") {
                return String(argument.dropFirst(option.count + 1))
            }
        }
        return nil
    }

    /// Returns nil if the file cannot be read.
    private static func contents(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0, bytes.count < longest else { return count < 0 ? nil : bytes }
            bytes += buffer[..<count]
        }
    }

    /// In bytes.
    private static let longest = 4 << 20
}
