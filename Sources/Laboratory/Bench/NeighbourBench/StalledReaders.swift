internal import Clocks
internal import Contract
internal import Glibc
internal import Numbers
internal import Store
internal import Tracking

/// Members of a busy group who never read what they have subscribed to.
struct StalledReaders: NoisyNeighbour {
    func name(_ settings: NeighbourSettings) -> String { "subscribers that never read" }

    func populate(_ population: inout Population) throws {
        let users =
            (0..<StalledReaders.talkers).map { StalledReaders.talker($0) }
            + (0..<StalledReaders.deafOnes).map { StalledReaders.deaf($0) }
        try population.add(users, groupSize: users.count)
    }

    private static func talker(_ number: Int) -> String { "talker\(number)" }
    private static func deaf(_ number: Int) -> String { "deaf\(number)" }
    private static let talkers = 8
    private static let deafOnes = 10

    /// Fixes per second of each member who publishes.
    private static let rate = 150.0
    /// The kernel's buffer for each subscriber that does not read, in bytes.
    private static let buffer: Int32 = 4096

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let talkers = try (0..<StalledReaders.talkers).map {
            try site.enter(StalledReaders.talker($0))
        }
        let deaf = try (0..<StalledReaders.deafOnes).map {
            try site.enter(StalledReaders.deaf($0), buffer: StalledReaders.buffer)
        }
        for (number, client) in deaf.enumerated() {
            client.sendSubscribe(site.members(StalledReaders.deaf(number)), qos: 1)
            try client.awaitAnswer()
        }
        return { isOn in
            let start = ContinuousClock.now
            var sent = 0
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                let due =
                    Int(clamping: (ContinuousClock.now - start).seconds * StalledReaders.rate)
                    * talkers.count
                while sent < due {
                    let number = sent % talkers.count
                    site.publish(
                        StalledReaders.talker(number), Timestamp.now, sent, by: talkers[number])
                    sent += 1
                }
                for client in talkers { _ = client.flush() && client.read(into: &buffer) != nil }
                usleep(2000)
            }
            withExtendedLifetime(deaf) {}
            return "\(deaf.count) of \(sent) states each"
        }
    }
}
