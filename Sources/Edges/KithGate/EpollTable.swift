internal import Gate
internal import Glibc

/// The kernel's data in `/proc` about this process's epoll instances.
enum EpollTable {
    /// The descriptors of the epoll instances.
    static func all() -> [Int32] {
        guard let directory = unsafe opendir("/proc/self/fd") else { return [] }
        defer { unsafe closedir(directory) }
        var found: [Int32] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name) else { continue }
            var target = [UInt8](repeating: 0, count: 64)
            let length = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
            if length > 0, target[..<length].elementsEqual("anon_inode:[eventpoll]".utf8) {
                found.append(descriptor)
            }
        }
        return found
    }

    /// The registered sockets, each with the data that the broker registered: a client, except for
    /// listeners. A line per socket: `tfd: 8 events: 19 data: 55d0c8a7b2f0 …`.
    static func entries(of epoll: Int32)
        -> [(client: Gatekeeper.Client, descriptor: Int32)]
    {
        var found: [(client: Gatekeeper.Client, descriptor: Int32)] = []
        for line in read("/proc/self/fdinfo/\(epoll)").split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 5, words[0].elementsEqual("tfd:".utf8),
                let descriptor = number(words[1], radix: 10),
                let client = number(words[5], radix: 16)
            else { continue }
            found.append((client, Int32(clamping: descriptor)))
        }
        return found
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: UInt) -> UInt? {
        var value: UInt = 0
        for digit in digits {
            let place =
                digit <= UInt8(ascii: "9")
                ? digit &- UInt8(ascii: "0") : (digit &- UInt8(ascii: "a")) &+ 10
            guard place < radix, value >> 60 == 0 else { return nil }
            value = value * radix + UInt(place)
        }
        return value
    }

    /// Returns the whole file; empty if it cannot be read.
    private static func read(_ path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }
}
