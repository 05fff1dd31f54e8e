internal import Glibc
internal import Numbers
internal import Store

/// A group that chats a lot, and members who now and then read a little of it: always enough not to
/// be cut off for reading nothing.
struct SlowReaders: NoisyNeighbour {
    private static let talkers = 8
    private static let readers = 100
    /// Chat messages per second: less than the limit.
    private static let rate = 8.0
    /// The longest allowed text, of four-byte characters.
    private static let text = String(repeating: "\u{1F600}", count: 4_000)
    /// The kernel's buffer for each reader, and what each reader reads per second, in bytes.
    private static let buffer: Int32 = 4096
    private static let sip = 256

    private static func talker(_ number: Int) -> String { "talker\(number)" }
    private static func reader(_ number: Int) -> String { "reader\(number)" }

    func name(_ settings: NeighbourSettings) -> String { "\(SlowReaders.readers) slow readers" }

    func populate(_ population: inout Population) throws(StoreError) {
        let users =
            (0..<SlowReaders.talkers).map { SlowReaders.talker($0) }
            + (0..<SlowReaders.readers).map { SlowReaders.reader($0) }
        try population.add(users, groupSize: users.count)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let group = site.group(of: SlowReaders.talker(0))
        let talkers = try (0..<SlowReaders.talkers).map {
            try site.enter(SlowReaders.talker($0))
        }
        let readers = try (0..<SlowReaders.readers).map { number in
            let reader = try site.enter(SlowReaders.reader(number), buffer: SlowReaders.buffer)
            reader.sendSubscribe("kith/groups/\(group)/chat", qos: 1)
            try reader.awaitAnswer()
            return reader
        }
        let payload = Array(#"{"group":"\#(group)","text":"\#(SlowReaders.text)"}"#.utf8)
        return { isOn in
            let start = ContinuousClock.now
            var (sent, sips, cuts) = (0, 0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var small = [UInt8](repeating: 0, count: SlowReaders.sip)
            while isOn() {
                let seconds = (ContinuousClock.now - start).seconds
                while sent < Int(clamping: seconds * SlowReaders.rate) * talkers.count {
                    let number = sent % talkers.count
                    talkers[number].sendPublish(
                        "\(BenchSite.device(SlowReaders.talker(number)))/requests/chat.send",
                        payload,
                        packet: UInt16(sent % 65_535 + 1))
                    sent += 1
                }
                for client in talkers { _ = client.flush() && client.read(into: &buffer) != nil }
                if Int(clamping: seconds) > sips {
                    sips += 1
                    cuts = readers.count { $0.read(into: &small) == nil }
                }
                usleep(2000)
            }
            return "\(sent) messages of 16 KB, \(cuts) readers cut off"
        }
    }
}
