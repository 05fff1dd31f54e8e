internal import Clocks
internal import Contract
internal import Glibc
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// Many people who watch a large group in which one member moves, over MQTT or with browsers.
struct GroupWatchers: NoisyNeighbour {
    enum Way {
        case mqtt
        case page
    }

    let way: Way

    func name(_ settings: NeighbourSettings) -> String {
        "\(settings.visitors) \(way == .mqtt ? "subscribers" : "readers of the page")"
    }

    func populate(_ population: inout Population) throws(StoreError) {
        try LargeGroup.populate(&population, count: population.settings.groupSize)
    }

    /// Fixes per second of the member who moves.
    private static let rate = 5.0

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let before = Usage.of(site.page).memory
        let mover = try site.enter(LargeGroup.fellow(0))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var readers: [RawClient] = []
        for number in 1...site.settings.visitors {
            let reader = try open(LargeGroup.fellow(number), site)
            try reader.awaitAnswer()
            readers.append(reader)
        }
        // New watchers are sent the states of about a thousand people each, which is not measured.
        var quiet = 0
        while quiet < 20 {
            let count = GroupWatchers.read(readers, &buffer)
            quiet = count == 0 ? quiet + 1 : 0
        }
        return { isOn in
            let start = ContinuousClock.now
            var (sent, bytes) = (0, 0)
            while isOn() {
                let due = Int(clamping: (ContinuousClock.now - start).seconds * GroupWatchers.rate)
                while sent < due {
                    site.publish(LargeGroup.fellow(0), Timestamp.now, sent, by: mover)
                    sent += 1
                }
                _ = mover.flush() && mover.read(into: &buffer) != nil
                bytes += GroupWatchers.read(readers, &buffer)
            }
            let report = "\(sent) fixes, \(bytes / 1_000_000) MB delivered"
            guard way == .page else { return report }
            let now = Usage.of(site.page)
            return report + ", the page \(before / 1_000_000) → \(now.memory / 1_000_000) MB"
                + " (peak \(now.peakMemory / 1_000_000))"
        }
    }

    private func open(_ user: String, _ site: BenchSite) throws -> RawClient {
        switch way {
        case .mqtt:
            let client = try site.enter(user)
            client.sendSubscribe(site.members(user), qos: 1)
            return client
        case .page:
            let client = RawClient()
            try client.open(site.pagePort)
            let topic = site.members(user).dropLast()
            client.sendText(
                "GET /api/events?topic=\(topic)%2B HTTP/1.1\r\nHost: bench\r\n"
                    + "Authorization: Bearer \(site.cast.tokens[user]?.text ?? "none")\r\n\r\n")
            return client
        }
    }

    /// Returns the amount that arrives within five milliseconds.
    private static func read(_ readers: [RawClient], _ buffer: inout [UInt8]) -> Int {
        var entries = readers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        poll(&entries, nfds_t(entries.count), 5)
        var bytes = 0
        for (reader, entry) in zip(readers, entries) where entry.revents != 0 {
            bytes += reader.read(into: &buffer) ?? 0
        }
        return bytes
    }
}
