internal import Glibc

/// A minimal client of MQTT 3.1.1: one thread can run thousands of them. It reads only when called
/// to.
final class RawClient {
    private(set) var descriptor: Int32 = -1
    private var unsent: [UInt8] = []

    deinit { close() }

    /// Begins to connect; if the backlog is full, the kernel keeps trying.
    ///
    /// - Parameter buffer: the size in bytes of the kernel's receive and send buffers; nil for the
    ///   usual size.
    func open(_ port: UInt16, buffer: Int32? = nil) throws(RawClientError) {
        close()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw RawClientError(code: errno) }
        if var buffer {
            for option in [SO_RCVBUF, SO_SNDBUF] {
                setsockopt(
                    descriptor, SOL_SOCKET, option, &buffer, socklen_t(MemoryLayout<Int32>.size))
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else { throw RawClientError(code: errno) }
    }

    func close() {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        (descriptor, unsent) = (-1, [])
    }

    // MARK: Packets

    /// - Parameter user: nil for a guest.
    /// - Parameter isClean: false to resume the session, and to leave it behind.
    func sendConnect(
        _ clientID: String, _ user: String? = nil, _ password: String? = nil,
        isClean: Bool = true
    ) {
        let flags: UInt8 = (user == nil ? 0 : 0xC0) | (isClean ? 0x02 : 0)
        let keepAlive: [UInt8] = [0x02, 0x58]
        send(
            0x10,
            text("MQTT") + [4, flags] + keepAlive + text(clientID) + (user.map(text) ?? [])
                + (password.map(text) ?? []))
    }

    func sendSubscribe(_ filter: String, qos: UInt8) { sendSubscribe([filter], qos: qos) }

    func sendSubscribe(_ filters: [String], qos: UInt8) {
        send(0x82, [0, 1] + filters.flatMap { text($0) + [qos] })
    }

    /// Publishes with QoS 1.
    ///
    /// - Parameter isAgain: whether it was sent before without an acknowledgement.
    func sendPublish(
        _ topic: String, _ payload: [UInt8], packet: UInt16, isRetained: Bool = false,
        isAgain: Bool = false
    ) {
        send(
            0x32 | (isRetained ? 0x01 : 0) | (isAgain ? 0x08 : 0),
            text(topic) + [UInt8(packet >> 8), UInt8(packet & 0xFF)] + payload)
    }

    func sendAnswer(_ type: AnswerType, packet: UInt16) {
        send(type.rawValue, [UInt8(packet >> 8), UInt8(packet & 0xFF)])
    }

    /// Acknowledgements of messages, by their first byte.
    enum AnswerType: UInt8 {
        case acknowledgement = 0x40
        case received = 0x50
    }

    private func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    private func send(_ type: UInt8, _ body: [UInt8]) {
        unsent.append(type)
        var length = body.count
        repeat {
            unsent.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        unsent += body
    }

    /// Sends text that is not an MQTT packet.
    func sendText(_ text: String) { sendBytes(Array(text.utf8)) }
    func sendBytes(_ bytes: [UInt8]) { unsent += bytes }

    // MARK: The socket

    var wantsWrite: Bool { !unsent.isEmpty }

    /// - Returns: false if the connection has ended.
    func flush() -> Bool {
        guard !unsent.isEmpty else { return true }
        let count = Glibc.send(descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
        if count < 0 { return errno == EAGAIN || errno == ENOTCONN }
        unsent.removeFirst(count)
        return true
    }

    /// Reads what has arrived, up to the buffer's length.
    ///
    /// - Returns: the number of bytes read; nil if the connection has ended.
    func read(into buffer: inout [UInt8]) -> Int? {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 { return errno == EAGAIN ? 0 : nil }
        return count == 0 ? nil : count
    }

    /// Waits until the broker has answered a CONNECT or a SUBSCRIBE.
    func awaitAnswer() throws(RawClientError) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<10_000 {
            guard flush(), let count = read(into: &buffer) else { break }
            if count > 0 { return }
            usleep(1000)
        }
        throw RawClientError(code: ETIMEDOUT)
    }
}

/// A failed system call, with its `errno`.
struct RawClientError: Error {
    let code: Int32
}

/// Lowers the priority of this thread only: hostile clients on machines of their own would not take
/// processor time from the broker and the bridge.
func giveWay() {
    let thread = __priority_which_t(PRIO_PROCESS.rawValue)
    setpriority(thread, 0, getpriority(thread, 0) + 10)
}
