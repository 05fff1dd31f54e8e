internal import Contract
internal import Glibc
internal import Numbers
internal import Store

/// A group that chats a lot, and streams of events on the page that none of its members reads.
struct DeafBrowsers: NoisyNeighbour {
    /// Each with as many streams as a device may have: together nearly as many connections as an address may.
    private static let members = 12
    private static let streams = 32
    /// Chat messages per second: less than the limit.
    private static let rate = 8.0
    private static let text = String(repeating: "\u{1F600}", count: 4_000)
    /// The kernel's buffer for each stream, in bytes.
    private static let buffer: Int32 = 4096

    private static func member(_ number: Int) -> String { "deafbrowser\(number)" }

    func name(_ settings: NeighbourSettings) -> String {
        "\(DeafBrowsers.members * DeafBrowsers.streams) streams of the page that nobody reads"
    }

    func populate(_ population: inout Population) throws(StoreError) {
        let users = (0..<DeafBrowsers.members).map { DeafBrowsers.member($0) }
        try population.add(users, groupSize: users.count)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let group = site.group(of: DeafBrowsers.member(0))
        let talkers = try (0..<DeafBrowsers.members).map { try site.enter(DeafBrowsers.member($0)) }
        let deaf = try (0..<DeafBrowsers.members).flatMap { number in
            try (0..<DeafBrowsers.streams).map { _ in
                try open(DeafBrowsers.member(number), group, site)
            }
        }
        let payload = Array(#"{"group":"\#(group)","text":"\#(DeafBrowsers.text)"}"#.utf8)
        return { isOn in
            let start = ContinuousClock.now
            var sent = 0
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                let seconds = (ContinuousClock.now - start).seconds
                while sent < Int(clamping: seconds * DeafBrowsers.rate) * talkers.count {
                    let number = sent % talkers.count
                    talkers[number].sendPublish(
                        "\(BenchSite.device(DeafBrowsers.member(number)))/requests/chat.send",
                        payload, packet: UInt16(sent % 65_535 + 1))
                    sent += 1
                }
                for client in talkers { _ = client.flush() && client.read(into: &buffer) != nil }
                usleep(2000)
            }
            withExtendedLifetime(deaf) {}
            let page = Usage.of(site.page)
            return "\(sent) messages of 16 KB, the page \(page.memory / 1_000_000) MB"
                + " (peak \(page.peakMemory / 1_000_000))"
        }
    }

    private func open(_ user: String, _ group: String, _ site: BenchSite) throws -> RawClient {
        let client = RawClient()
        try client.open(site.pagePort, buffer: DeafBrowsers.buffer)
        client.sendText(
            "GET /api/events?topic=kith/groups/\(group)/chat HTTP/1.1\r\nHost: bench\r\n"
                + "Authorization: Bearer \(site.cast.tokens[user]?.text ?? "none")\r\n\r\n")
        try client.awaitAnswer()
        return client
    }
}
