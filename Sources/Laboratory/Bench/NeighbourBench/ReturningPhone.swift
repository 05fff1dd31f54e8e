internal import Clocks
internal import Contract
internal import Glibc
internal import JSON
internal import Store
internal import Tracking

/// A phone that reconnects with the fixes it has kept, followed by a call for help. Like a stock
/// client of MQTT 3.1.1, it writes everything at once before it reads and, when disconnected,
/// resends everything unacknowledged in the same order.
struct ReturningPhone: NoisyNeighbour {
    private static let user = "returner"
    private static let friend = "waiter"
    private static let kept = 5_000
    /// The size of the kernel's send buffer, as small as on a mobile network.
    private static let buffer: Int32 = 16_384
    /// The pause before it reconnects.
    private static let pause = Duration.seconds(1)
    /// How long until it gives up.
    private static let patience = Duration.seconds(60)

    func name(_ settings: NeighbourSettings) -> String {
        "a phone back with \(ReturningPhone.kept) fixes, and its SOS"
    }

    func populate(_ population: inout Population) throws {
        try population.add([ReturningPhone.user, ReturningPhone.friend], groupSize: 2)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let friend = try site.enter(ReturningPhone.friend)
        friend.sendSubscribe(
            "kith/groups/\(site.group(of: ReturningPhone.user))/alerts", qos: 0)
        try friend.awaitAnswer()
        return { _ in
            var phone = Phone(site, kept: ReturningPhone.kept)
            let start = ContinuousClock.now
            var heard: Duration?
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while !(heard != nil && phone.unacknowledged.isEmpty),
                ContinuousClock.now - start < ReturningPhone.patience
            {
                phone.exchange()
                if let count = friend.read(into: &buffer), count > 0, heard == nil {
                    heard = ContinuousClock.now - start
                }
                usleep(500)
            }
            let all = ReturningPhone.kept + 1
            let call =
                heard.map { "heard after \(($0.seconds * 10).rounded() / 10) s" } ?? "never heard"
            return "\(all - phone.unacknowledged.count) of \(all) acknowledged over "
                + "\(phone.connections) connections, its SOS \(call)"
        }
    }

    /// The last packet is the SOS.
    private struct Phone {
        private let site: BenchSite
        private let count: UInt16
        private let start = Timestamp.now - .seconds(6 * 3600)
        private var client = RawClient()
        private var reader = PacketReader()
        private var isOpen = false
        private var isAgain = false
        private var notBefore = ContinuousClock.now
        private var buffer = [UInt8](repeating: 0, count: 65_536)
        private(set) var unacknowledged: Set<UInt16>
        private(set) var connections = 0

        init(_ site: BenchSite, kept: Int) {
            self.site = site
            count = UInt16(kept + 1)
            unacknowledged = Set(1...UInt16(kept + 1))
        }

        mutating func exchange() {
            if !isOpen {
                guard ContinuousClock.now >= notBefore else { return }
                connect()
            }
            guard client.flush() else { return close() }
            guard !client.wantsWrite else { return }
            guard let length = client.read(into: &buffer) else { return close() }
            for packet in reader.take(buffer[..<length]) {
                switch packet.type {
                case 2: write()
                case 4: packet.identifier.map { _ = unacknowledged.remove($0) }
                default: break
                }
            }
        }

        private mutating func close() {
            client.close()
            (isOpen, notBefore) = (false, .now + ReturningPhone.pause)
        }

        private mutating func connect() {
            reader = PacketReader()
            do { try client.open(site.port, buffer: ReturningPhone.buffer) } catch { return }
            client.sendConnect(
                "\(ReturningPhone.user).\(Stage.device)", ReturningPhone.user,
                site.cast.tokens[ReturningPhone.user]?.text, isClean: false)
            isOpen = true
            connections += 1
        }

        private mutating func write() {
            let device = BenchSite.device(ReturningPhone.user)
            for packet in unacknowledged.sorted() {
                guard packet < count else {
                    client.sendPublish(
                        device + "/requests/sos.trigger", Array(#"{"id":1}"#.utf8), packet: packet,
                        isAgain: isAgain)
                    continue
                }
                var json = JSONWriter(capacity: 256)
                json.fix(
                    FixPublisher.fix(Int(packet) % 1000, start + .seconds(Int(packet))),
                    asReceived: false)
                client.sendPublish(device + "/fix", json.bytes, packet: packet, isAgain: isAgain)
            }
            isAgain = true
        }
    }
}
