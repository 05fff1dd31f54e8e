internal import Clocks
internal import Contract
internal import Glibc
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// Many people who watch a large group in which one member moves, over MQTT or with browsers.
struct GroupWatchers: NoisyNeighbour {
    let way: ReadingWay

    func name(_ settings: NeighbourSettings) -> String {
        "\(settings.visitors) \(way == .mqtt ? "subscribers" : "readers of the page")"
    }

    func populate(_ population: inout Population) throws {
        try LargeGroup.populate(&population, count: population.settings.groupSize)
    }

    /// Fixes per second of the member who moves.
    private static let rate = 5.0

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let mover = try site.enter(LargeGroup.fellow(0))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var readers: [RawClient] = []
        for number in 1...site.settings.visitors {
            let user = LargeGroup.fellow(number)
            let reader = try site.watch(site.members(user), user, by: way)
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
            return "\(sent) fixes, \(bytes / 1_000_000) MB delivered"
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
