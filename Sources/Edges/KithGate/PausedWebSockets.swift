internal import CMosquittoBroker
internal import Gate
internal import Glibc

/// Pauses WebSocket connections. The broker reads these with another library, which polls
/// independently, so their sockets are made to report that there is nothing to read.
struct PausedWebSockets {
    typealias Client = Sockets.Client

    /// The paused connections, and the number of bytes that the broker had read from each when it
    /// was paused; nil if nothing reaches the broker any more.
    private var paused: [Client: (descriptor: Int32, read: Int?)] = [:]

    /// Limits the kernel's receive buffer, whose contents may be read after a pause has begun.
    func prepare(_ descriptor: Int32) { set(SO_RCVBUF, of: descriptor, to: Self.buffer) }

    mutating func pause(_ client: Client, _ descriptor: Int32) {
        guard paused[client] == nil, let figures = SocketFigures(descriptor) else { return }
        paused[client] = (descriptor, figures.forGate.read)
        wait(descriptor, for: PausedWebSockets.plenty)
    }

    mutating func resume(_ client: Client, _ descriptor: Int32) {
        guard let entry = paused.removeValue(forKey: client) else { return }
        if entry.read == nil { _ = mosquitto_take_data(descriptor) }
        wait(descriptor, for: 1)
    }

    /// To be called before the broker closes the socket.
    mutating func remove(_ client: Client) { paused[client] = nil }

    /// Called with each tick. A connection that has filled its receive buffer is read from although
    /// it is paused; from then on none of its data reaches the broker.
    mutating func tick() {
        for (client, entry) in paused {
            guard let before = entry.read, let figures = SocketFigures(entry.descriptor),
                figures.forGate.read > before
            else { continue }
            if mosquitto_take_no_data(entry.descriptor) == 0 { paused[client]?.read = nil }
        }
    }

    /// Makes the kernel report the socket as readable only once this many bytes have arrived. That
    /// suffices for a phone's short pause, and nothing has to be sent twice.
    private func wait(_ descriptor: Int32, for bytes: Int32) {
        set(SO_RCVLOWAT, of: descriptor, to: bytes)
    }

    private func set(_ option: Int32, of descriptor: Int32, to value: Int32) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, size)
    }

    /// In bytes; the kernel doubles it to have room for its own data.
    private static let buffer: Int32 = 32_768
    /// At most half of the kernel's doubled size.
    private static let plenty: Int32 = buffer
}
