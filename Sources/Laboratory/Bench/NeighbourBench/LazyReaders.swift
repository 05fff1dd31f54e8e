internal import Glibc
internal import Numbers
internal import Store

/// A group that chats a lot, and readers who read less than they are sent: over MQTT a little now
/// and then, always enough not to be disconnected for reading nothing; from the page's event
/// streams nothing.
struct LazyReaders: NoisyNeighbour {
    let way: ReadingWay

    /// Chat messages per second of each talker: less than the limit.
    private static let rate = 8.0
    /// The longest allowed text, of four-byte characters.
    private static let text = String(repeating: "\u{1F600}", count: 4_000)
    /// In bytes: the kernel's buffer for each reader, and the amount that each reads per second
    /// over MQTT.
    private static let buffer: Int32 = 4096
    private static let sip = 256

    private var talkers: [String] { (0..<(way == .mqtt ? 8 : 12)).map { "talker\($0)" } }

    /// On the page, each talker has as many streams as a device may have: together nearly as many
    /// connections as an address may.
    private var readers: [String] {
        switch way {
        case .mqtt: (0..<100).map { "reader\($0)" }
        case .page: talkers.flatMap { Array(repeating: $0, count: 32) }
        }
    }

    func name(_ settings: NeighbourSettings) -> String {
        switch way {
        case .mqtt: "\(readers.count) slow readers"
        case .page: "\(readers.count) streams of the page that nobody reads"
        }
    }

    func populate(_ population: inout Population) throws {
        let users = way == .mqtt ? talkers + readers : talkers
        try population.add(users, groupSize: users.count)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let names = talkers
        let group = site.group(of: names[0])
        let talkers = try names.map { try site.enter($0) }
        let readers = try readers.map { user in
            let reader = try site.watch(
                "kith/groups/\(group)/chat", user, by: way, buffer: LazyReaders.buffer)
            try reader.awaitAnswer()
            return reader
        }
        let payload = Array(#"{"group":"\#(group)","text":"\#(LazyReaders.text)"}"#.utf8)
        return { isOn in
            let start = ContinuousClock.now
            var (sent, sips, cuts) = (0, 0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var small = [UInt8](repeating: 0, count: LazyReaders.sip)
            while isOn() {
                let seconds = (ContinuousClock.now - start).seconds
                while sent < Int(clamping: seconds * LazyReaders.rate) * talkers.count {
                    let number = sent % talkers.count
                    talkers[number].sendPublish(
                        "\(BenchSite.device(names[number]))/requests/chat.send", payload,
                        packet: UInt16(sent % 65_535 + 1))
                    sent += 1
                }
                for client in talkers { _ = client.flush() && client.read(into: &buffer) != nil }
                if way == .mqtt, Int(clamping: seconds) > sips {
                    sips += 1
                    cuts = readers.count { $0.read(into: &small) == nil }
                }
                usleep(2000)
            }
            let report = "\(sent) messages of 16 KB"
            return way == .mqtt ? report + ", \(cuts) readers cut off" : report
        }
    }
}
