internal import CMosquittoBroker
internal import Gate
internal import Glibc

/// Connections that the broker reads from by another library, which polls by itself: there the
/// sockets say that they have nothing to read.
struct PausedWebSockets {
    typealias Client = Sockets.Client

    /// Paused ones, and what the broker had read of each then; nil where nothing reaches it any more.
    private var paused: [Client: (descriptor: Int32, read: Int?)] = [:]

    /// Has the kernel keep little of what has not been read: that is read after a pause has begun.
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

    /// With each tick: who has filled what the kernel keeps is read from all the same, and gets
    /// no more through.
    mutating func tick() {
        for (client, entry) in paused {
            guard let before = entry.read, let figures = SocketFigures(entry.descriptor),
                figures.forGate.read > before
            else { continue }
            if mosquitto_take_no_data(entry.descriptor) == 0 { paused[client]?.read = nil }
        }
    }

    /// Has the kernel tell nobody of what there is to read before there are so many bytes. For a
    /// short pause of a phone that is enough, and nothing has to be sent twice.
    private func wait(_ descriptor: Int32, for bytes: Int32) {
        set(SO_RCVLOWAT, of: descriptor, to: bytes)
    }

    private func set(_ option: Int32, of descriptor: Int32, to value: Int32) {
        var value = value
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, size)
    }

    /// The kernel takes twice as much, for what goes with it.
    private static let buffer: Int32 = 32_768
    /// Half of that, at most.
    private static let plenty: Int32 = buffer
}
