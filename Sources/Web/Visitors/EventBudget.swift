internal import Contract

/// What may wait for readers of events: of one party, of one address, and of all. Where that is too much,
/// those with most unread are cut off; they come back, and go on from where they were.
///
/// Confined to the thread of the visitors' connections.
final class EventBudget {
    private final class Account {
        let unread: UnreadBytes
        var streams: [Reference] = []
        /// How many of them are read by strangers; those that have ended count up to a second longer.
        var strangers = 0

        init(_ unread: UnreadBytes) { self.unread = unread }

        /// - Returns: how many streams were cut off.
        func relieve() -> Int {
            guard unread.bytes > unread.maximum else { return 0 }
            let open = streams.compactMap(\.stream).map {
                (stream: $0, ofReader: $0.unreadOfReader, unread: $0.unread, sent: $0.sent)
            }
            // First of the reader whose streams together have most: many streams, each with little, are
            // as much as one. Of those with as much, who has read least.
            let order = open.sorted {
                ($0.ofReader, $0.unread, $1.sent) > ($1.ofReader, $1.unread, $0.sent)
            }
            // With some room, so that the next event does not end the next reader. What was handed to a
            // connection counts until it is closed, but is on its way out.
            var (count, left) = (0, unread.bytes)
            for (stream, _, size, _) in order where size >= EventBudget.smallPart {
                guard left > unread.maximum / 4 * 3 else { break }
                left -= size
                if stream.cut() { count += 1 }
            }
            return count
        }

        /// - Returns: whether somebody still reads.
        func isUsed() -> Bool {
            streams.removeAll { $0.stream == nil }
            strangers = streams.count(where: \.isStranger)
            return !streams.isEmpty
        }
    }

    private struct Reference {
        weak var stream: EventStream?
        let isStranger: Bool
    }

    /// Who reads.
    struct Reader {
        /// Nil where everybody reads the same without an account.
        let party: Party?
        let address: NetworkAddress
        /// Closes the connection.
        let close: @Sendable () -> Void
    }

    private let limits: WebSettings.Limits
    private let alarm = UnreadBytes.Alarm()
    private let all: Account
    private var parties: [Party: Account] = [:]
    private var addresses: [NetworkAddress: Account] = [:]

    init(_ limits: WebSettings.Limits) {
        self.limits = limits
        all = Account(UnreadBytes(maximum: limits.unread, alarm))
    }

    /// Bytes: who has less unread reads.
    static let smallPart = 1_024

    /// Whether one more stream may be opened. Strangers, at the same address or elsewhere, take no room of
    /// known visitors, and streams leave room for other requests, calls for help among them.
    ///
    /// - Parameter isStranger: whether the reader has no token, or one that the broker has not seen
    ///   yet.
    func hasRoom(at address: NetworkAddress, isStranger: Bool) -> Bool {
        guard all.streams.count < limits.streams else { return false }
        return !isStranger
            || all.strangers < limits.streamsOfStrangers
                && addresses[address]?.strangers ?? 0 < limits.streamsOfAddress
    }

    /// What waits for all.
    var unread: Int { all.unread.bytes }

    /// A stream that is counted.
    func stream(_ filters: [String], of reader: Reader, isStranger: Bool = false) -> EventStream {
        let own = reader.party.map { party in
            parties[party] ?? Account(UnreadBytes(maximum: limits.unreadOfParty, alarm))
        }
        let local =
            addresses[reader.address]
            ?? Account(UnreadBytes(maximum: limits.unreadOfAddress, alarm))
        if let party = reader.party { parties[party] = own }
        addresses[reader.address] = local
        let accounts = [own, local, all].compactMap { $0 }
        let stream = EventStream(
            filters, backlog: limits.backlog, accounts: accounts.map(\.unread),
            whenCut: reader.close)
        for account in accounts {
            account.streams.append(Reference(stream: stream, isStranger: isStranger))
            if isStranger { account.strangers += 1 }
        }
        return stream
    }

    /// Cuts off whoever has most unread where there is too much.
    ///
    /// - Returns: how many that were.
    func relieve() -> Int {
        guard alarm.takeOff() else { return 0 }
        var count = 0
        for account in parties.values { count += account.relieve() }
        for account in addresses.values { count += account.relieve() }
        return count + all.relieve()
    }

    /// Forgets who has gone.
    func everySecond() {
        parties = parties.filter { $0.value.isUsed() }
        addresses = addresses.filter { $0.value.isUsed() }
        _ = all.isUsed()
    }
}
