#if DEBUG
import Glibc

@testable import MQTT

/// What a broker sends: packets (MQTT 5, 2.1), in pieces of any size.
enum Packets {
    /// The first byte is the size of the pieces.
    static func read(_ bytes: [UInt8]) throws {
        guard let size = bytes.first.map({ Int($0) + 1 }) else { return }
        let sent = Array(bytes.dropFirst())
        try split(sent, piece: size)
        try receive(sent, piece: size)
    }

    // MARK: The buffer

    private static func split(_ sent: [UInt8], piece size: Int) throws {
        let wire = try Wire()
        var buffer = PacketBuffer()
        var (written, taken) = (0, 0)
        while true {
            while let packet = buffer.next() {
                let whole = Array(buffer[packet.whole])
                try expect(
                    sent[taken...].starts(with: whole), "packets follow each other as they came")
                try expect(
                    whole.first == packet.head && whole.count >= 2
                        && whole.suffix(packet.body.count).elementsEqual(buffer[packet.body]),
                    "a packet is a head, a length and a body")
                try expect(
                    length(of: whole)?.body == packet.body.count, "a packet is as long as it says")
                taken += whole.count
            }
            guard written < sent.count else { break }
            written += wire.send(sent[written...].prefix(size))
            guard case .some = buffer.read(from: wire.near) else {
                return try expect(
                    isBroken(Array(sent[taken..<written])), "what was sent is read")
            }
        }
        // The rest is not a whole packet.
        let rest = Array(sent[taken...])
        try expect(
            length(of: rest).map { rest.count < $0.count } ?? true, "each packet is found")
    }

    /// The length of the body after the first byte, and with it the length of the whole; nil if there is
    /// none yet, or it has too many bytes.
    private static func length(of packet: [UInt8]) -> (body: Int, count: Int)? {
        var length = 0
        for index in 0..<4 {
            guard index + 1 < packet.count else { return nil }
            let byte = Int(packet[index + 1])
            length += (byte & 127) << (7 * index)
            if byte < 128 { return (length, length + index + 2) }
        }
        return nil
    }

    /// Whether the next length has more than four bytes, after which nothing is read.
    private static func isBroken(_ rest: [UInt8]) -> Bool {
        rest.count > 4 && rest[1...4].allSatisfy { $0 >= 128 }
    }

    // MARK: A connection

    /// The same to a connection that reads in bulk, after it has published something.
    private static func receive(_ sent: [UInt8], piece size: Int) throws {
        let wire = try Wire()
        let connection = try Connection(
            ConnectionOptions(host: "127.0.0.1", port: 1, clientID: "fuzz"))
        connection.isConnected = true
        connection.batched = BatchedSocket(replacing: wire.near)
        for _ in 0..<3 { try connection.publish(topic: "a", payload: [1], qos: .atLeastOnce) }
        var written = 0
        while written < sent.count, connection.batched != nil {
            written += wire.send(sent[written...].prefix(size))
            let messages = connection.receive(atMost: 8)
            try expect(messages.count <= 8, "there are no more than were asked for")
            for message in messages {
                try expect(
                    !message.topic.isEmpty && message.topic.utf8.allSatisfy { $0 >= 0x20 },
                    "a topic has letters")
                try expect(
                    (message.qos == .atMostOnce) == (message.packetID == 0),
                    "what is to be acknowledged has a number")
            }
            _ = connection.takeEvents()
            try expect((0...3).contains(connection.unanswered), "each message is answered once")
        }
    }

    /// Two ends of a wire.
    private final class Wire {
        let near: Int32
        private let far: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                throw Finding("there are descriptors")
            }
            (near, far) = (ends[0], ends[1])
        }

        deinit {
            close(near)
            close(far)
        }

        /// - Returns: how many bytes there was room for.
        func send(_ bytes: ArraySlice<UInt8>) -> Int {
            bytes.withUnsafeBytes {
                max(0, Glibc.send(far, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)))
            }
        }
    }
}
#endif
