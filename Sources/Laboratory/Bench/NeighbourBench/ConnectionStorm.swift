internal import Glibc
internal import Numbers
internal import Store

/// Phones that all connect at once, watch their groups, and all leave at once.
struct ConnectionStorm: NoisyNeighbour {
    func name(_ settings: NeighbourSettings) -> String {
        "\(settings.connections) connections at once"
    }

    func populate(_ population: inout Population) throws {
        let users = (0..<population.settings.connections).map { ConnectionStorm.guest($0) }
        try population.add(users, groupSize: Ordinary.groupSize)
    }

    /// A user who connects along with all others.
    private static func guest(_ number: Int) -> String { "comer\(number)" }

    /// The progress of each phone.
    private enum Stage {
        case connecting, introduced, subscribing, settled
    }

    /// How long a phone that was not accepted waits before it tries again, in seconds, as real
    /// phones do.
    private static let pause = 0.5...1.5
    /// How long they stay once all are connected.
    private static let stay = Duration.seconds(1)

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        return { isOn in
            let comers = (0..<site.settings.connections).map { _ in RawClient() }
            var stages = [Stage](repeating: .connecting, count: comers.count)
            let start = ContinuousClock.now
            for comer in comers { try comer.open(site.port) }
            var (settled, ended) = (0, 0)
            var absent: [(index: Int, until: ContinuousClock.Instant)] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            var allIn: Duration?
            while isOn(),
                allIn.map({ ContinuousClock.now - start < $0 + ConnectionStorm.stay }) ?? true
            {
                var entries = zip(comers, stages).map { comer, stage in
                    let awaited = stage == .connecting || comer.wantsWrite ? POLLOUT : POLLIN
                    return pollfd(fd: comer.descriptor, events: Int16(awaited), revents: 0)
                }
                poll(&entries, nfds_t(entries.count), 20)
                for index in comers.indices where entries[index].revents != 0 {
                    let isAlive = advance(comers[index], index, site, &stages[index], &buffer)
                    if stages[index] == .settled, isAlive == .now { settled += 1 }
                    if isAlive == .no {
                        ended += 1
                        comers[index].close()
                        let pause = Double.random(in: ConnectionStorm.pause)
                        absent.append((index, ContinuousClock.now + .seconds(clamping: pause)))
                    }
                }
                let back = absent.filter { $0.until <= ContinuousClock.now }
                absent.removeAll { $0.until <= ContinuousClock.now }
                for (index, _) in back {
                    stages[index] = .connecting
                    try comers[index].open(site.port)
                }
                if allIn == nil, settled == comers.count { allIn = ContinuousClock.now - start }
            }
            let time = allIn.map { "all in after \(($0.seconds * 10).rounded() / 10) s" }
            return (time ?? "\(settled) came in") + (ended > 0 ? ", \(ended) tried again" : "")
        }
    }

    private enum Life {
        /// `now`: it has just settled.
        case no, yes, now
    }

    private func advance(
        _ comer: RawClient, _ number: Int, _ site: BenchSite, _ stage: inout Stage,
        _ buffer: inout [UInt8]
    ) -> Life {
        let user = ConnectionStorm.guest(number)
        switch stage {
        case .connecting:
            site.introduce(comer, user)
            stage = .introduced
            return comer.flush() ? .yes : .no
        case .introduced:
            guard comer.flush(), let count = comer.read(into: &buffer) else { return .no }
            guard count > 0 else { return .yes }
            comer.sendSubscribe(site.members(user), qos: 1)
            stage = .subscribing
            return comer.flush() ? .yes : .no
        case .subscribing:
            guard comer.flush(), let count = comer.read(into: &buffer) else { return .no }
            if count > 0 { stage = .settled }
            return count > 0 ? .now : .yes
        case .settled: return comer.read(into: &buffer) == nil ? .no : .yes
        }
    }
}
