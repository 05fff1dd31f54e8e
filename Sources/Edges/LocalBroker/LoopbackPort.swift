internal import FoundationEssentials
internal import Glibc
internal import Supervision

/// A TCP port of this machine's loopback address, 127.0.0.1.
struct LoopbackPort {
    var number: UInt16

    /// Throws if another process listens there, or if we are not allowed to.
    ///
    /// Connections of an earlier broker that the kernel still remembers (TIME_WAIT) do not count,
    /// as they do not prevent Mosquitto from listening.
    func checkUsable() throws(BrokerError) {
        let socket = try Socket(number)
        guard socket.bind(number), socket.listen() else {
            throw errno == EADDRINUSE
                ? .portTaken(number) : .portRefused(number, reason: lastError())
        }
    }

    /// Waits until the port is usable: the kernel may still be closing the sockets of a process
    /// that has ended.
    func waitUntilUsable(within limit: Duration) async throws(BrokerError) {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(BrokerError) {
                return try checkUsable()
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
            }
            await pause(.milliseconds(10))
        }
    }

    enum Answer {
        case given
        /// The connection was closed instead.
        case refused
        case missing
    }

    /// Returns whether a broker answers there. The query has a protocol version that does not
    /// exist, which a broker refuses before it checks credentials.
    ///
    /// The limit is counted, not measured: a machine that slept, or delayed this process, also
    /// delayed the broker.
    func answer(within limit: Duration) async -> Answer {
        let socket: Socket
        do throws(BrokerError) {
            socket = try Socket(number)
        } catch {
            return .given
        }
        socket.beginConnecting(to: number)
        var isAsked = false
        for _ in 0..<max(1, limit.components.seconds * LoopbackPort.stepsPerSecond) {
            if Task.isCancelled { return .given }
            if !isAsked { isAsked = socket.send(LoopbackPort.question) }
            if isAsked, let answer = socket.answer { return answer }
            await pause(LoopbackPort.step)
        }
        return .missing
    }

    private static let step = Duration.milliseconds(50)
    private static let stepsPerSecond: Int64 = 20
    /// CONNECT of version 9, without a client identifier (MQTT 3.1.1, section 3.1).
    private static let question: [UInt8] =
        [0x10, 12, 0, 4] + Array("MQTT".utf8) + [9, 2, 0, 60, 0, 0]

    /// Returns whether the given process listens on this port, according to `/proc`.
    ///
    /// Connecting would not prove it: Debian's own Mosquitto may have been faster than ours.
    func isListened(to process: Int32) -> Bool {
        do {
            let table = try String(contentsOfFile: "/proc/\(process)/net/tcp", encoding: .utf8)
            let inodes = listeningInodes(in: table)
            let descriptors = "/proc/\(process)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: descriptors).contains {
                var status = stat()
                return stat("\(descriptors)/\($0)", &status) == 0 && inodes.contains(status.st_ino)
            }
        } catch {
            return false  // The process has ended.
        }
    }

    /// - Parameter table: see `man 5 proc`: the second column is the local address in hexadecimal,
    ///   the fourth the state (0A: listening), the tenth the inode.
    private func listeningInodes(in table: String) -> [UInt] {
        let digits = String(number, radix: 16, uppercase: true)
        let port = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return table.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[1].hasSuffix(port), columns[3] == "0A" else {
                return nil
            }
            return UInt(columns[9])
        }
    }
}

/// A free port that the kernel assigns to no other process while this value lives.
///
/// A process that asks for it by number and with `SO_REUSEADDR`, like Mosquitto, may listen there.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let socket: Socket

    package init() throws(BrokerError) {
        socket = try Socket(0)
        guard socket.bind(0) else { throw .portRefused(0, reason: lastError()) }
        number = socket.boundPort
    }
}

/// A TCP socket, closed at the end of its lifetime.
private struct Socket: ~Copyable {
    let descriptor: Int32

    /// - Parameter port: used in the error.
    init(_ port: UInt16) throws(BrokerError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .portRefused(port, reason: lastError()) }
    }

    deinit { close(descriptor) }

    borrowing func bind(_ port: UInt16) -> Bool {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return withAddress(of: port) { Glibc.bind(descriptor, $0, $1) } == 0
    }

    borrowing func listen() -> Bool { Glibc.listen(descriptor, 1) == 0 }

    /// Returns immediately.
    borrowing func beginConnecting(to port: UInt16) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = withAddress(of: port) { Glibc.connect(descriptor, $0, $1) }
    }

    /// Returns whether the bytes were sent, or never can be, as no process listens any more.
    borrowing func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
            || ![EAGAIN, ENOTCONN, EINPROGRESS].contains(errno)
    }

    /// The broker's answer; nil while there is none.
    var answer: LoopbackPort.Answer? {
        var byte: UInt8 = 0
        switch recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) {
        case 1...: return .given
        case 0: return .refused
        default: return errno == EAGAIN ? nil : errno == ECONNRESET ? .refused : .given
        }
    }

    var boundPort: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private borrowing func withAddress(
        of port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

func lastError() -> String { String(cString: strerror(errno)) }
