internal import CMosquittoBroker
internal import Gate

/// The Maximum Packet Size that a client announced when it connected (MQTT 5). The broker heeds it,
/// and does not show it to plugins: this reads it where the broker keeps it.
///
/// The place is found, not assumed: the bridge's connections announce numbers that are known, and
/// until two of them have shown the place, and it alone, nothing is read of anybody else. What is
/// read is part of the client that the broker passes to a callback, within the block that the
/// allocator gave for it; nothing is written.
struct PacketMaxima {
    private var search = FieldSearch()
    private var hasComplained = false

    /// The bound of a client that is just connecting, in bytes; nil if it has none, or if that is
    /// not known.
    func announced(by client: OpaquePointer) -> Int? {
        guard let place = search.place,
            let value = unsafe PacketMaxima.words(of: client, place..<place + 1).first, value > 0
        else { return nil }
        return Int(value)
    }

    /// - Parameter number: what this client has announced.
    /// - Returns: a line for the log, once, if the place cannot be found.
    mutating func learn(from client: OpaquePointer, _ number: UInt32) -> String? {
        let words = unsafe PacketMaxima.words(of: client, 0..<PacketMaxima.examined)
        search.look(for: number, in: words)
        guard search.isInVain, !hasComplained else { return nil }
        hasComplained = true
        return
            "kith: it cannot be seen how large a packet a client takes. One that takes only small "
            + "ones may get nothing more after some that are larger."
    }

    /// Of the words in the range, those that belong to the client.
    private static func words(of client: OpaquePointer, _ range: Range<Int>) -> [UInt32] {
        let size = MemoryLayout<UInt32>.size
        let range = range.clamped(
            to: 0..<Int(clamping: unsafe mosquitto_client_size(client)) / size)
        let start = unsafe UnsafeRawPointer(client)
        return range.map { unsafe start.load(fromByteOffset: $0 * size, as: UInt32.self) }
    }

    /// In words: the broker's own structure is smaller.
    private static let examined = 512
}
