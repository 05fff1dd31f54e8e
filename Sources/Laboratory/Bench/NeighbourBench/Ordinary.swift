internal import Clocks
internal import Contract
internal import Glibc
internal import JSON
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// Some groups of five, whose members each have a phone that publishes a fix per second; one member
/// of each group watches. Neighbours must not change how long the fixes take to become states.
final class Ordinary {
    private let callers: SOSCallers
    private let patience: Duration
    private var phones: [Phone] = []
    private var ages: [Int64] = []

    /// Fixes per second, of all phones together.
    static let rate = 100.0
    static let phoneCount = 100
    static let groupSize = 5

    private final class Phone {
        let user: String
        let connection: Connection
        /// Fixes for which no state has arrived yet, by their timestamp.
        var underway: [Int64: ContinuousClock.Instant] = [:]

        init(_ user: String, _ connection: Connection) {
            self.user = user
            self.connection = connection
        }
    }

    static func populate(_ population: inout Population) throws {
        try population.add((0..<phoneCount).map { Stage.user($0) }, groupSize: groupSize)
    }

    init(_ site: BenchSite) throws {
        patience = .seconds(site.settings.patience)
        callers = try SOSCallers(site)
        for number in 0..<Ordinary.phoneCount {
            let user = Stage.user(number)
            let phone = Phone(user, try site.connect(user))
            if number % Ordinary.groupSize == 0 {
                try phone.connection.subscribe(to: [site.members(user)], qos: .atMostOnce)
            }
            try phone.connection.release()
            phones.append(phone)
        }
    }

    /// The delays of everything sent during a walk.
    struct Walk: Sendable {
        let fixes: Delays
        /// Of calls over MQTT, and through the page.
        let calls: Delays
        let pageCalls: Delays
    }

    /// Lets them publish for a while, and others call for help.
    ///
    /// - Parameter atEnd: called when that is over, before waiting for what is still missing.
    /// - Returns: the delays of everything published in this time.
    func walk(for duration: Duration, atEnd: () -> Void) throws -> Walk {
        let start = ContinuousClock.now
        var sent = 0
        while ContinuousClock.now - start < duration {
            sent = try publish(sent, since: start)
            try callers.callInTurn()
            try exchange()
        }
        atEnd()
        try wait { callers.isAnyWaiting }
        return Walk(
            fixes: takeDelays(), calls: callers.takeDelays(by: .broker),
            pageCalls: callers.takeDelays(by: .page))
    }

    /// Waits until fixes become states without delay.
    func settle() throws {
        for _ in 0..<100 {
            let start = ContinuousClock.now
            var sent = 0
            while ContinuousClock.now - start < .milliseconds(200) {
                sent = try publish(sent, since: start)
                try exchange()
            }
            try wait { false }
            let delays = takeDelays()
            if delays.missing == 0, let p99 = delays.p99, p99 < 50_000 { return }
        }
    }

    private func wait(_ isMoreToCome: () -> Bool) throws {
        let end = ContinuousClock.now
        while phones.contains(where: { !$0.underway.isEmpty }) || isMoreToCome(),
            ContinuousClock.now - end < patience
        {
            try exchange()
        }
    }

    private func takeDelays() -> Delays {
        let missing = phones.reduce(0) { $0 + $1.underway.count }
        defer { ages = [] }
        for phone in phones { phone.underway = [:] }
        return Delays(ages, missing: missing)
    }

    /// - Returns: how many fixes have been published.
    private func publish(_ sent: Int, since start: ContinuousClock.Instant) throws -> Int {
        let due = Int(clamping: (ContinuousClock.now - start).seconds * Ordinary.rate)
        for number in sent..<max(sent, due) {
            let place = number % phones.count
            let takenAt = Timestamp.now
            phones[place].underway[takenAt.milliseconds] = .now
            try FixPublisher.publish(place, takenAt: takenAt, phones[place].connection)
            try phones[place].connection.release()
        }
        return max(sent, due)
    }

    /// Handles what arrives within two milliseconds.
    private func exchange() throws {
        var entries = phones.map {
            pollfd(fd: $0.connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        poll(&entries, nfds_t(entries.count), 2)
        for (phone, entry) in zip(phones, entries) where entry.revents != 0 {
            for message in phone.connection.receive(atMost: 1000) where !message.retain {
                note(message)
            }
            _ = try FixPublisher.confirmations(phone.connection)
            try phone.connection.release()
        }
        try callers.listen()
    }

    private func note(_ message: Message) {
        guard let state = JSONValue(parsing: message.payload),
            case .string(let text) = state["fix"]?["timestamp"],
            let takenAt = Timestamp(rfc3339: text), case .string(let user) = state["user"],
            let phone = phones.first(where: { $0.user == user }),
            let start = phone.underway.removeValue(forKey: takenAt.milliseconds)
        else { return }
        ages.append(Int64(clamping: (ContinuousClock.now - start).seconds * 1e6))
        // This state also covers earlier fixes.
        for earlier in phone.underway.keys where earlier < takenAt.milliseconds {
            phone.underway[earlier] = nil
        }
    }
}

extension BenchSite {
    /// The options of a user's device.
    func options(_ user: String) -> ConnectionOptions {
        var options = ConnectionOptions(
            port: Int32(port), clientID: "\(user).\(Stage.device)")
        options.username = user
        // Longer than any situation, as some clients only listen.
        options.keepAlive = 600
        options.password = token(of: user)
        return options
    }

    /// Connects a user's device over MQTT 5.
    func connect(_ user: String) throws -> Connection {
        // The gate postpones clients if too many connect at once, or the bridge is not there yet.
        for _ in 0..<200 {
            do { return try connectAtOnce(user) } catch { usleep(50_000) }
        }
        return try connectAtOnce(user)
    }

    private func connectAtOnce(_ user: String) throws -> Connection {
        let connection = try Connection(options(user))
        try connection.awaitConnected()
        return connection
    }
}
