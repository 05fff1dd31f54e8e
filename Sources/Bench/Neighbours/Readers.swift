internal import Contract
internal import Glibc
internal import MQTT
internal import Store
internal import Tracking

/// Many who watch one large group in which somebody moves: over MQTT, or with browsers.
struct Readers: Nuisance {
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

    /// Fixes a second of the one who moves.
    private static let rate = 5.0

    func prepare(in town: Town) throws -> (_ isOn: () -> Bool) throws -> String {
        let before = Usage.of(town.page).memory
        let mover = try town.enter(LargeGroup.fellow(0))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var readers: [RawClient] = []
        for number in 1...town.settings.visitors {
            let reader = try open(LargeGroup.fellow(number), town)
            try reader.awaitAnswer()
            readers.append(reader)
        }
        // Those who come in are told about a thousand people each: that is not measured.
        var quiet = 0
        while quiet < 20 {
            let count = Readers.read(readers, &buffer)
            quiet = count == 0 ? quiet + 1 : 0
        }
        return { isOn in
            let start = ContinuousClock.now
            var (sent, bytes) = (0, 0)
            while isOn() {
                let due = Int((ContinuousClock.now - start).seconds * Readers.rate)
                while sent < due {
                    town.publish(LargeGroup.fellow(0), Crowd.now, sent, by: mover)
                    sent += 1
                }
                _ = mover.flush() && mover.read(into: &buffer) != nil
                bytes += Readers.read(readers, &buffer)
            }
            let report = "\(sent) fixes, \(bytes / 1_000_000) MB delivered"
            guard way == .page else { return report }
            let now = Usage.of(town.page)
            return report + ", the page \(before / 1_000_000) → \(now.memory / 1_000_000) MB"
                + " (peak \(now.peakMemory / 1_000_000))"
        }
    }

    private func open(_ user: String, _ town: Town) throws -> RawClient {
        switch way {
        case .mqtt:
            let client = try town.enter(user)
            client.sendSubscribe(town.members(user), qos: 1)
            return client
        case .page:
            let client = RawClient()
            try client.open(town.pagePort)
            let topic = town.members(user).dropLast()
            client.sendText(
                "GET /api/events?topic=\(topic)%2B HTTP/1.1\r\nHost: bench\r\n"
                    + "Authorization: Bearer \(town.cast.tokens[user]?.text ?? "none")\r\n\r\n")
            return client
        }
    }

    /// What comes within five milliseconds.
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
