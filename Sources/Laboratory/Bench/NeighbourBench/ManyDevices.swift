internal import Contract
internal import Glibc
internal import Limits
internal import Numbers
internal import Store
internal import Tracking

/// One person whose devices all send the same kind of message, each within its allowance: a
/// message's effects cost more than the message.
struct ManyDevices: NoisyNeighbour {
    let name: String
    let user: String
    var devices = 1
    /// Messages per second of each device; nil for as many as the allowance permits.
    var rate: Double?
    /// The connections that subscribe to the person's chat.
    var readers: [String] = []
    /// People whose phones are away, with sessions that subscribe to the person's alerts.
    var absent: [String] = []
    var environment: [String: String] = [:]
    let people: @Sendable (inout Population, String) throws -> Void
    /// Returns the topic below the device's and the payload of a message, by its number.
    let message: @Sendable (BenchSite, String, Int) -> (topic: String, payload: String)

    func name(_ settings: NeighbourSettings) -> String { name }

    func populate(_ population: inout Population) throws {
        try people(&population, user)
        for number in 1..<max(2, devices) {
            try population.addDevice(ManyDevices.device(number), of: user)
        }
    }

    static func device(_ number: Int) -> String {
        number == 0 ? Stage.device : "\(Stage.device)\(number)"
    }

    /// Slightly less than the gate's allowance.
    private static let allowance = Allowance(burst: 900, perSecond: 480)

    private final class Sender {
        let client = RawClient()
        let device: String
        var use = TokenBucket(Allowance(burst: 0, perSecond: 0), at: .zero)
        var isOpen = false

        init(_ device: String) { self.device = device }

        func enter(_ site: BenchSite, _ user: String) throws {
            try client.open(site.port)
            client.sendConnect(
                "\(user).\(device)", user,
                (site.cast.tokens["\(user)/\(device)"] ?? site.cast.tokens[user])?.text ?? "none")
            try client.awaitAnswer()
            isOpen = true
        }
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let allowance = rate.map { Allowance(burst: 1, perSecond: $0) } ?? ManyDevices.allowance
        let senders = try (0..<devices).map { number in
            let sender = Sender(ManyDevices.device(number))
            sender.use = TokenBucket(allowance, at: .zero)
            try sender.enter(site, user)
            return sender
        }
        let listeners = try readers.map { reader in
            let client = try site.enter(reader)
            client.sendSubscribe("kith/groups/\(site.group(of: user))/chat", qos: 1)
            try client.awaitAnswer()
            return client
        }
        for user in absent {
            let client = try site.enter(user, isClean: false)
            client.sendSubscribe("kith/groups/\(site.group(of: user))/alerts", qos: 1)
            try client.awaitAnswer()
        }
        return { isOn in
            let start = ContinuousClock.now
            var (sent, cuts, heard) = (0, 0, 0)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOn() {
                for sender in senders {
                    if !sender.isOpen {
                        cuts += 1
                        do { try sender.enter(site, user) } catch { continue }
                    }
                    sent += write(sender, sent, .now - start, allowance, site)
                    sender.isOpen =
                        sender.client.flush() && sender.client.read(into: &buffer) != nil
                }
                for listener in listeners { heard += listener.read(into: &buffer) ?? 0 }
                usleep(500)
            }
            let delivered = listeners.isEmpty ? "" : ", \(heard / 1_000_000) MB delivered"
            return "\(sent) messages, cut off \(cuts) times\(delivered)"
        }
    }

    /// - Returns: how many messages were sent.
    private func write(
        _ sender: Sender, _ first: Int, _ time: Duration, _ allowance: Allowance, _ site: BenchSite
    ) -> Int {
        guard !sender.client.wantsWrite else { return 0 }
        var sent = 0
        while sent < ManyDevices.atOnce {
            let next = message(site, user, first + sent)
            let unit = PayloadLimits.oneMessage
            let units = rate == nil ? max(1, (next.payload.utf8.count + unit - 1) / unit) : 1
            guard sender.use.take(Double(units), of: allowance, at: time) else { break }
            sender.client.sendPublish(
                "kith/users/\(user)/devices/\(sender.device)/\(next.topic)",
                Array(next.payload.utf8), packet: UInt16((first + sent) % 65_535 + 1))
            sent += 1
        }
        return sent
    }

    /// How many messages are written at a time.
    private static let atOnce = 50
}
