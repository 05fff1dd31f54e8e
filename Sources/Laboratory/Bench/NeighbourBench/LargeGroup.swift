internal import Clocks
internal import Contract
internal import Glibc
internal import Numbers
internal import Store
internal import Tracking

/// A large group in which everyone watches everyone.
struct LargeGroup: NoisyNeighbour {
    func name(_ settings: NeighbourSettings) -> String { "a group of \(settings.groupSize)" }

    func populate(_ population: inout Population) throws {
        try LargeGroup.populate(&population, count: population.settings.groupSize)
    }

    static func populate(_ population: inout Population, count: Int) throws {
        try population.add((0..<count).map { fellow($0) }, groupSize: count)
    }

    static func fellow(_ number: Int) -> String { "fellow\(number)" }

    /// Seconds between two fixes of a member.
    private static let interval = 30.0

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let fellows = try (0..<site.settings.groupSize).map { number in
            let client = try site.enter(LargeGroup.fellow(number))
            client.sendSubscribe(site.members(LargeGroup.fellow(number)), qos: 1)
            try client.awaitAnswer()
            return client
        }
        return { isOn in
            let start = ContinuousClock.now
            var (sent, bytes) = (0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                let rate = Double(fellows.count) / LargeGroup.interval
                let due = Int(clamping: (ContinuousClock.now - start).seconds * rate)
                while sent < due {
                    let number = sent % fellows.count
                    site.publish(
                        LargeGroup.fellow(number), Timestamp.now, sent, by: fellows[number])
                    _ = fellows[number].flush()
                    sent += 1
                }
                var entries = fellows.map {
                    pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
                }
                poll(&entries, nfds_t(entries.count), 5)
                for (client, entry) in zip(fellows, entries) where entry.revents != 0 {
                    bytes += client.read(into: &buffer) ?? 0
                }
            }
            return "\(sent) fixes, \(bytes / 1_000_000) MB delivered"
        }
    }
}
