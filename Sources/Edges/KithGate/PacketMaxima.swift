internal import CMosquittoBroker
internal import Gate

/// The Maximum Packet Size that a client announced when it connected (MQTT 5). The broker respects
/// it, but does not show it to plugins: this reads it from the broker's memory.
///
/// The place is found, not assumed: the bridge's connections announce known numbers, and until two
/// of them have shown a single place, nothing is read of other clients. Reads stay within the
/// client structure that the broker passes to a callback, within its allocated block; nothing is
/// written.
struct PacketMaxima {
    private var search = FieldSearch()
    private var hasComplained = false

    /// The bound of a connecting client, in bytes; nil if unlimited or unknown.
    func announced(by client: OpaquePointer) -> Int? {
        guard let place = search.place,
            let value = unsafe PacketMaxima.words(of: client, place..<place + 1).first, value > 0
        else { return nil }
        return Int(value)
    }

    /// - Parameter number: the number announced by this client.
    /// - Returns: a line for the log, once, if the place cannot be found.
    mutating func learn(from client: OpaquePointer, _ number: UInt32) -> String? {
        let words = unsafe PacketMaxima.words(of: client, 0..<PacketMaxima.examined)
        search.look(for: number, in: words)
        guard search.isInVain, !hasComplained else { return nil }
        hasComplained = true
        return
            "kith: the packet size that a client accepts is unknown. A client that accepts only "
            + "small packets may receive nothing more after larger ones."
    }

    /// Returns the words in the range that belong to the client.
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
