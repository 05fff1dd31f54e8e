import Contract
import Gate
import Store
import Synchronization

/// The gatekeeper, with any questions that a broker may ask, in any order.
///
/// Each line is a question: a letter, the client's number, and arguments.
///
///     c 1 annika.phone annika.phone 5c 10.0.0.1   connects; who, client id, 5: MQTT 5,
///                                                 c: continued, w: wrong token; address
///     s 1 kith/users/annika/#                     subscribes
///     p 1 200 R kith/users/annika/…               publishes this many bytes; R: retained
///     r 1 kith/users/annika/groups                may it receive this?
///     d 1                                         disconnects
///     t 500                                       this many milliseconds pass
enum Gates {
    private static let maximumLines = 128
    private static let settings = GateSettings()

    static func run(_ bytes: [UInt8]) throws {
        try reader.withLock { reader in
            let town = try GateTown.shared.get()
            // Opened once: opening takes longer than asking all questions of an input.
            let ready = try reader ?? Store.openReadOnly(town.path)
            reader = ready
            var questions = Questions(town, ready)
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
            for line in lines.prefix(maximumLines) {
                try questions.ask(
                    String(decoding: line, as: UTF8.self)
                        .split(separator: " ", omittingEmptySubsequences: false))
            }
            try questions.end()
        }
    }

    private static let reader = Mutex<Store?>(nil)

    private struct Questions {
        private struct Client {
            let party: GateReading.Party
            let id: String
            let username: String?
            var isConnected = true
        }

        private let town: GateTown
        private let gatekeeper: Gatekeeper
        private var now = Duration.seconds(1000)
        private var clients: [Gatekeeper.Client: Client] = [:]

        init(_ town: GateTown, _ reader: Store) {
            self.town = town
            gatekeeper = Gatekeeper(settings) { StoredAccess(reader, path: town.path) }
        }

        mutating func ask(_ words: [Substring]) throws {
            now += .milliseconds(2)
            guard words.count > 1, let number = UInt(words[1].prefix(5)) else { return }
            // Some clients share a memory address.
            let client = number % 8 + 1
            switch (words[0], words.count) {
            case ("c", 6...): try connect(client, words)
            case ("s", 3...): try subscribe(client, rest(of: words, from: 2))
            case ("p", 5...): try publish(client, words)
            case ("r", 3...): try receive(client, rest(of: words, from: 2))
            case ("d", _): disconnect(client)
            case ("t", _): pass(.milliseconds(Int(number)))
            default: break
            }
            try checkOrders()
        }

        /// Disconnects every client: clients that have gone are forgotten eventually.
        mutating func end() throws {
            for client in clients.keys { disconnect(client) }
            for _ in 0..<3 { pass(GateSettings.Limits().memoryForSessions) }
            try checkOrders()
            let left = gatekeeper.census.filter { $0.value != 0 }
            try expect(left.isEmpty, "when all have gone for good nothing is left: \(left)")
        }

        // MARK: Questions

        private mutating func connect(_ client: Gatekeeper.Client, _ words: [Substring]) throws {
            let who = String(words[2])
            let id = String(words[3])
            let isContinued = words[4].contains("c")
            let isGuest = !who.contains(".") && !who.contains(":")
            let username = isGuest ? nil : String(who.prefix { $0 != "." })
            let isRight = town.tokens[who] != nil && !words[4].contains("w")
            disconnect(client)
            let verdict = gatekeeper.connect(
                .init(
                    clientID: id, username: username,
                    password: isGuest ? nil : isRight ? town.tokens[who] : "annika.phone.wrong",
                    address: String(words[5]), isContinued: isContinued,
                    mayKeepNewSession: words[4].contains("5")), as: client, at: now)
            clients[client] = nil
            guard verdict == .allowed else { return }
            try expect(isGuest || isRight, "who comes in has a token")
            try expect(!(isGuest && isContinued), "a guest continues nothing")
            try expect(
                GateReading.deviceOwner(id) == nil || GateReading.deviceOwner(id) == username,
                "an id of two names is that user's")
            for (other, holder) in clients
            where holder.isConnected && holder.id.utf8.elementsEqual(id.utf8) {
                let isOwn = username.map { id == $0 || id.hasPrefix($0 + ".") } ?? false
                try expect(
                    username != nil && (holder.username == username || isOwn),
                    "only the user or the id's owner takes over a connection")
                disconnect(other)
            }
            clients[client] = Client(party: party(who, id), id: id, username: username)
        }

        private func party(_ who: String, _ id: String) -> GateReading.Party {
            if who == "kith:bridge" { return .bridge }
            let parts = who.split(separator: ".")
            return parts.count == 2 ? .device(String(parts[1]), of: String(parts[0])) : .guest(id)
        }

        private func subscribe(_ client: Gatekeeper.Client, _ filter: String) throws {
            let verdict = gatekeeper.subscribe(filter, qos: 1, by: client, at: now)
            guard verdict == .allowed else { return }
            let known = try known(client)
            for topic in GateTown.topics where GateReading.matches(filter, topic) {
                try expect(
                    GateReading.mayReceive(topic, known.party),
                    "\(known.party) is granted \(filter) and so \(topic)")
            }
        }

        private func publish(_ client: Gatekeeper.Client, _ words: [Substring]) throws {
            let topic = rest(of: words, from: 4)
            let verdict = gatekeeper.publish(
                topic, size: Int(words[2].prefix(6)) ?? 0, objects: topic.utf8.count,
                retained: words[3] == "R", qos: 1, payload: [], by: client, at: now)
            guard verdict == .allowed else { return }
            let known = try known(client)
            try expect(
                GateReading.mayPublish(topic, known.party), "\(known.party) publishes \(topic)")
        }

        private func receive(_ client: Gatekeeper.Client, _ topic: String) throws {
            let known = clients[client]
            let username = known?.username ?? "annika"
            let absentee = Gatekeeper.Absentee(
                clientID: known?.id ?? "annika.phone", username: username)
            let message = Gatekeeper.Delivery(topic: topic, size: 100, qos: 1)
            let isDelivered = gatekeeper.mayReceive(
                message, client, payload: Array(topic.utf8), absentee: absentee, at: now)
            guard isDelivered else { return }
            // Nothing is known of a guest who has left, and no one asks.
            let isForgotten = known == nil || known?.isConnected == false
            let parties =
                (known.map { [$0.party] } ?? []) + (isForgotten ? [.absent(username)] : [])
            try expect(
                parties.contains { GateReading.mayReceive(topic, $0) },
                "\(parties) receives \(topic)")
        }

        private mutating func disconnect(_ client: Gatekeeper.Client) {
            guard clients[client]?.isConnected == true else { return }
            gatekeeper.disconnect(client, at: now)
            clients[client]?.isConnected = false
        }

        private mutating func pass(_ duration: Duration) {
            now += duration
            for _ in 0..<10 {
                now += .milliseconds(200)
                gatekeeper.tick(at: now)
            }
        }

        // MARK: Invariants

        private func known(_ client: Gatekeeper.Client) throws -> Client {
            guard let known = clients[client] else {
                throw Finding("only an admitted client acts")
            }
            return known
        }

        private func checkOrders() throws {
            for order in gatekeeper.takeOrders() {
                switch order {
                case .pause, .resume, .hold, .release: break
                case .cutOff(let id):
                    try expect(
                        clients.values.contains { $0.id.utf8.elementsEqual(id.text.utf8) },
                        "only a known client is disconnected")
                case .publish(let topic, _):
                    try expect(
                        topic == "kith/bridge/connections" || topic.hasSuffix("/rejected"),
                        "the gate publishes nothing else")
                case .retain(let topic, _):
                    try expect(topic.hasPrefix("kith/system/metrics/"), "only metrics are retained")
                case .log(let line):
                    try expect(
                        !GateTown.people.contains { line.contains($0) }, "no user is in the log")
                case .save: break
                }
            }
        }

        private func rest(of words: [Substring], from index: Int) -> String {
            words[index...].joined(separator: " ")
        }
    }
}
