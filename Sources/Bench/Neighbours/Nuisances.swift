internal import Contract
internal import Glibc
internal import Tracking

/// The place where the trouble is made.
struct Town: Sendable {
    let cast: Scene.Cast
    let port: UInt16
    let settings: NeighbourSettings
    let broker: Int32
    var bridge: Int32 = 0
    /// `kith web`, and where it listens.
    var page: Int32 = 0
    var pagePort: UInt16 = 0

    /// Connected, and let in.
    func enter(_ user: String, buffer: Int32? = nil) throws -> RawClient {
        let client = RawClient()
        try client.open(port, buffer: buffer)
        introduce(client, user)
        try client.awaitAnswer()
        return client
    }

    func introduce(_ client: RawClient, _ user: String) {
        client.sendConnect(user, password: cast.tokens[user]?.text ?? "none")
    }

    /// What a member of the user's group watches.
    func members(_ user: String) -> String {
        "kith/groups/\(cast.groupOf[user].map { "\($0)" } ?? "none")/members/+"
    }

    func publish(_ user: String, _ takenAt: Timestamp, _ number: Int, by client: RawClient) {
        var json = JSONWriter(capacity: 256)
        json.fix(Crowd.fix(number % 1000, takenAt), asReceived: false)
        client.sendPublish(
            "kith/users/\(user)/devices/\(Stage.device)/fix", json.bytes,
            packet: UInt16(number % 65_535 + 1))
    }

    /// Bytes that the broker holds now.
    var brokerMemory: Int { Usage.of(broker).memory }
}

/// Publishes as fast as the socket takes it, and comes again whenever it is cut off.
struct Flood: Nuisance {
    let town: Town
    let name = "a publisher at full speed"

    func prepare() throws -> (_ isOn: () -> Bool) throws -> String {
        var client = try town.enter(NeighbourScene.flooder)
        return { isOn in
            var (sent, cuts) = (0, 0)
            var takenAt = Crowd.now - .seconds(3600)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                if !client.wantsWrite {
                    for _ in 0..<50 {
                        takenAt = takenAt + .milliseconds(1)
                        town.publish(NeighbourScene.flooder, takenAt, sent, by: client)
                        sent += 1
                    }
                }
                let isAlive = client.flush() && client.read(into: &buffer) != nil
                if isAlive, client.wantsWrite { usleep(100) }
                guard !isAlive else { continue }
                cuts += 1
                do { client = try town.enter(NeighbourScene.flooder) } catch { usleep(1000) }
            }
            return "\(sent) fixes, cut off \(cuts) times"
        }
    }
}

/// Members of a busy group who never read what they have subscribed to.
struct Deafness: Nuisance {
    let town: Town
    let name = "subscribers that never read"

    /// Fixes a second of each who talks.
    private static let rate = 150.0
    /// What the kernel keeps for each who does not listen.
    private static let buffer: Int32 = 4096

    func prepare() throws -> (_ isOn: () -> Bool) throws -> String {
        let talkers = try (0..<NeighbourScene.talkers).map {
            try town.enter(NeighbourScene.talker($0))
        }
        let deaf = try (0..<NeighbourScene.deafOnes).map {
            try town.enter(NeighbourScene.deaf($0), buffer: Deafness.buffer)
        }
        for (number, client) in deaf.enumerated() {
            client.sendSubscribe(town.members(NeighbourScene.deaf(number)), qos: 1)
            try client.awaitAnswer()
        }
        return { isOn in
            let before = town.brokerMemory
            let start = ContinuousClock.now
            var sent = 0
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                let due = Int((ContinuousClock.now - start).seconds * Deafness.rate) * talkers.count
                while sent < due {
                    let number = sent % talkers.count
                    town.publish(
                        NeighbourScene.talker(number), Crowd.now, sent, by: talkers[number])
                    sent += 1
                }
                for client in talkers { _ = client.flush() && client.read(into: &buffer) != nil }
                usleep(2000)
            }
            let growth = (town.brokerMemory - before) / 1_000_000
            withExtendedLifetime(deaf) {}
            return "\(deaf.count) of \(sent) states each, the broker \(growth) MB more"
        }
    }
}

/// A large group of which everybody watches everybody.
struct LargeGroup: Nuisance {
    let town: Town
    var name: String { "a group of \(town.settings.groupSize)" }

    /// Seconds between two fixes of a member.
    private static let interval = 30.0

    func prepare() throws -> (_ isOn: () -> Bool) throws -> String {
        let fellows = try (0..<town.settings.groupSize).map { number in
            let client = try town.enter(NeighbourScene.fellow(number))
            client.sendSubscribe(town.members(NeighbourScene.fellow(number)), qos: 1)
            try client.awaitAnswer()
            return client
        }
        return { isOn in
            let start = ContinuousClock.now
            var (sent, bytes) = (0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                let rate = Double(fellows.count) / LargeGroup.interval
                let due = Int((ContinuousClock.now - start).seconds * rate)
                while sent < due {
                    let number = sent % fellows.count
                    town.publish(
                        NeighbourScene.fellow(number), Crowd.now, sent, by: fellows[number])
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

/// Journeys whose time is up, all in the same second.
struct DueTimers: Nuisance {
    let town: Town
    let eta: Timestamp
    var name: String { "\(town.settings.timers) timers due at once" }

    func prepare() throws -> (_ isOn: () -> Bool) throws -> String {
        // Shortly before.
        while Crowd.now < eta - .milliseconds(500) { usleep(10_000) }
        return { isOn in
            while isOn() { usleep(10_000) }
            return ""
        }
    }
}
