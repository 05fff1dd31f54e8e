internal import Glibc

/// The sockets of a connection that reads and writes in bulk.
///
/// libmosquitto reads a packet with four system calls and writes one with two, one of which wakes a
/// thread that we do not have. So once it has connected, its socket is replaced by one end of a
/// socket pair: packets that we do not handle ourselves are passed to it there, and its output
/// there is forwarded to the broker.
@safe  // Holds only descriptors that it opened itself, closed in `deinit`.
final class BatchedSocket {
    /// The socket to the broker.
    let socket: Int32
    /// Our end of the socket pair to the library.
    private var inside: Int32

    var packets = PacketBuffer()
    /// Whether something has arrived since this was last checked.
    var hasRead = false
    /// Held back until the next write, in the order of the messages (MQTT 5, 4.6).
    var acknowledgements: [UInt8] = []
    /// Sent after the acknowledgements.
    var outgoing: [UInt8] = []
    /// Data that the socket has not accepted yet.
    private var leaving: ArraySlice<UInt8> = []
    /// Set when the library has sent its DISCONNECT: the connection ends once everything is sent.
    var isEnding = false

    /// Messages that the broker has no room for yet.
    var waiting: [[UInt8]] = []
    /// Identifiers of messages that the broker has not acknowledged.
    private(set) var underWay: Set<UInt16> = []
    private var last = BatchedSocket.firstOwn

    /// The library counts its own identifiers from 1.
    private static let firstOwn: UInt16 = 0x8000

    /// - Parameter library: the descriptor that the library reads and writes.
    /// - Returns: nil if the system has no descriptor left; the library then does everything.
    init?(replacing library: Int32) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = fcntl(library, F_DUPFD_CLOEXEC, 0)
        guard socket >= 0 else { return nil }
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
            close(socket)
            return nil
        }
        let result = dup2(pair[0], library)
        _ = fcntl(library, F_SETFD, FD_CLOEXEC)
        close(pair[0])
        (self.socket, inside) = (socket, pair[1])
        // `deinit` closes both.
        guard result >= 0 else { return nil }
    }

    deinit {
        close(socket)
        closeInside()
    }

    /// Makes the library find its end closed.
    func closeInside() {
        if inside >= 0 { close(inside) }
        inside = -1
    }

    // MARK: The library

    /// Passes a packet to the library.
    ///
    /// - Parameter read: makes the library read.
    func hand(_ packet: ArraySlice<UInt8>, _ read: () -> Void) {
        var rest = packet
        while !rest.isEmpty {
            let count = send(rest, to: inside)
            guard count > 0 || errno == EAGAIN else { return }
            rest = rest.dropFirst(max(0, count))
            read()
        }
    }

    /// Collects the library's output.
    func collect(into bytes: inout [UInt8]) {
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(inside, &part, part.count, 0)
            guard count > 0 else { return }
            bytes += part.prefix(count)
        }
    }

    // MARK: The broker

    var wantsWrite: Bool {
        !leaving.isEmpty || !acknowledgements.isEmpty || !outgoing.isEmpty
    }

    /// Sends as much as the socket accepts.
    ///
    /// - Returns: false if the connection is broken.
    func write() -> Bool {
        if !acknowledgements.isEmpty || !outgoing.isEmpty {
            leaving = leaving + acknowledgements + outgoing
            acknowledgements.removeAll(keepingCapacity: true)
            outgoing.removeAll(keepingCapacity: true)
        }
        while !leaving.isEmpty {
            let count = send(leaving, to: socket)
            guard count > 0 else { return [EAGAIN, EINTR].contains(errno) }
            leaving = leaving.dropFirst(count)
        }
        leaving = []
        return true
    }

    private func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
    }

    // MARK: Identifiers

    /// Returns an identifier that no message in flight has; nil if all are in use.
    func takeIdentifier() -> UInt16? {
        guard underWay.count < 1 << 15 else { return nil }
        repeat {
            last = last == UInt16.max ? BatchedSocket.firstOwn : last + 1
        } while underWay.contains(last)
        underWay.insert(last)
        return last
    }

    /// - Returns: whether the identifier was ours.
    func giveBack(_ identifier: UInt16) -> Bool { underWay.remove(identifier) != nil }
}
