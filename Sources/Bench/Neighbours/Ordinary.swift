internal import Contract
internal import Glibc
internal import MQTT
internal import Tracking

/// Some groups of five, each member with a phone that publishes a fix a second; one member of
/// each watches. How long its fixes take to become states is what neighbours must not change.
final class Ordinary {
    private var phones: [Phone] = []
    private var ages: [Int64] = []

    /// In fixes a second, of all together.
    static let rate = 100.0
    static let phoneCount = 100
    /// What has not come so long after the last fix is missing.
    private static let patience = Duration.seconds(5)

    private final class Phone {
        let user: String
        let connection: Connection
        /// Fixes of which no state has come, by the time that is in them.
        var underway: [Int64: ContinuousClock.Instant] = [:]

        init(_ user: String, _ port: UInt16, _ token: DeviceToken?) throws {
            self.user = user
            var options = ConnectionOptions(
                port: Int32(port), clientID: "\(user).\(Stage.device)")
            options.username = user
            options.password = token?.text ?? "none"
            connection = try Connection(options)
            try connection.awaitConnected()
        }
    }

    init(_ cast: Scene.Cast, _ port: UInt16) throws {
        for number in 0..<Ordinary.phoneCount {
            let user = Stage.user(number)
            let phone = try Phone(user, port, cast.tokens[user])
            if number % NeighbourScene.groupSize == 0, let group = cast.groupOf[user] {
                try phone.connection.subscribe(
                    to: ["kith/groups/\(group)/members/+"], qos: .atMostOnce)
            }
            try phone.connection.release()
            phones.append(phone)
        }
    }

    /// - Returns: how long the fixes took that were published meanwhile.
    func walk(for duration: Duration) throws -> Walk {
        ages = []
        let start = ContinuousClock.now
        var sent = 0
        while ContinuousClock.now - start < duration {
            let due = Int((ContinuousClock.now - start).seconds * Ordinary.rate)
            while sent < due {
                try publish(phones[sent % phones.count], number: sent)
                sent += 1
            }
            try exchange()
        }
        let end = ContinuousClock.now
        while phones.contains(where: { !$0.underway.isEmpty }),
            ContinuousClock.now - end < Ordinary.patience
        {
            try exchange()
        }
        let missing = phones.reduce(0) { $0 + $1.underway.count }
        for phone in phones { phone.underway = [:] }
        return Walk(ages, sent: sent, missing: missing)
    }

    /// Until a fix becomes a state at once.
    func settle() throws {
        for _ in 0..<100 {
            let walk = try walk(for: .milliseconds(200))
            if walk.missing == 0, walk.p99 < 50_000 { return }
        }
    }

    private func publish(_ phone: Phone, number: Int) throws {
        let takenAt = Crowd.now
        phone.underway[takenAt.milliseconds] = .now
        try Crowd.publish(number % phones.count, takenAt: takenAt, phone.connection)
        try phone.connection.release()
    }

    /// Takes what comes within two milliseconds.
    private func exchange() throws {
        var entries = phones.map {
            pollfd(fd: $0.connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        poll(&entries, nfds_t(entries.count), 2)
        for (phone, entry) in zip(phones, entries) where entry.revents != 0 {
            for message in phone.connection.receive(atMost: 1000) where !message.retain {
                note(message)
            }
            _ = try Crowd.confirmations(phone.connection)
            try phone.connection.release()
        }
    }

    private func note(_ message: Message) {
        let state: JSONValue
        do { state = try JSONValue.parse(message.payload) } catch { return }
        guard case .string(let text) = state["fix"]?["timestamp"],
            let takenAt = Timestamp(rfc3339: text), case .string(let user) = state["user"],
            let phone = phones.first(where: { $0.user == user }),
            let start = phone.underway.removeValue(forKey: takenAt.milliseconds)
        else { return }
        ages.append(Int64((ContinuousClock.now - start).seconds * 1e6))
        // Fixes from before it are told by this state as well.
        for earlier in phone.underway.keys where earlier < takenAt.milliseconds {
            phone.underway[earlier] = nil
        }
    }
}

/// How long the fixes of a while took, in microseconds.
struct Walk {
    let p50: Int64
    let p99: Int64
    let longest: Int64
    let count: Int
    let sent: Int
    /// Fixes of which no state has come at all.
    let missing: Int

    init(_ ages: [Int64], sent: Int, missing: Int) {
        let sorted = ages.sorted()
        p50 = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        p99 = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        longest = sorted.last ?? 0
        count = sorted.count
        self.sent = sent
        self.missing = missing
    }
}
