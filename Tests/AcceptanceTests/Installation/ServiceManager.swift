import Foundation
import Glibc
import Synchronization

/// Receives a service's notifications in systemd's place (sd_notify(3)).
final class ServiceManager: Sendable {
    /// For the service's environment.
    let name: String
    private let descriptor: Int32
    private let taken = Mutex<[String]>([])

    /// - Parameter name: a path, or `@` and a name that is in no file system.
    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if name.hasPrefix("@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (bytes[0] == 0 ? 0 : 1))
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, length)
            }
        }
        guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
    }

    deinit { close(descriptor) }

    /// All lines so far.
    var lines: [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            let text = String(decoding: buffer.prefix(count), as: UTF8.self)
            taken.withLock { $0 += text.split(separator: "\n").map(String.init) }
        }
        return taken.withLock { $0 }
    }
}
