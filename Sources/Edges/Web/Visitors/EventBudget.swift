internal import Contract

/// The limits on data waiting for event readers: per party, per address, and in total. Beyond
/// these, the readers with the most unread data are disconnected; they reconnect and resume.
///
/// Confined to the thread of the visitors' connections.
final class EventBudget {
    private final class Account {
        let unread: UnreadBytes
        var streams: [Reference] = []
        /// The number of strangers' streams; ended ones count up to a second longer.
        var strangers = 0

        init(_ unread: UnreadBytes) { self.unread = unread }

        /// - Returns: the number of streams that were ended.
        func relieve() -> Int {
            guard unread.bytes > unread.maximum else { return 0 }
            let open = streams.compactMap(\.stream).map {
                (stream: $0, ofReader: $0.unreadOfReader, unread: $0.unread, sent: $0.sent)
            }
            // Ordered by the total of each reader's streams, so that many small streams count like
            // one large one, then by unread bytes, then by the least read.
            let order = open.sorted {
                ($0.ofReader, $0.unread, $1.sent) > ($1.ofReader, $1.unread, $0.sent)
            }
            // With some margin, so that the next event does not end the next reader. Data passed to
            // a connection counts until it is closed, but is being sent.
            var (count, left) = (0, unread.bytes)
            for (stream, _, size, _) in order where size >= EventBudget.smallPart {
                guard left > unread.maximum / 4 * 3 else { break }
                left -= size
                if stream.cut() { count += 1 }
            }
            return count
        }

        /// - Returns: whether there are still readers.
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

    /// An event reader.
    struct Reader {
        /// Nil for public data read without an account.
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

    /// In bytes: a reader with less unread keeps up.
    static let smallPart = 1_024

    /// Whether one more stream may be opened. Strangers, at the same address or elsewhere, do not
    /// use known visitors' places, and streams leave room for other requests, including calls for
    /// help.
    ///
    /// - Parameter isStranger: whether the reader has no token, or one that the broker has not seen
    ///   yet.
    func hasRoom(at address: NetworkAddress, isStranger: Bool) -> Bool {
        guard all.streams.count < limits.streams else { return false }
        return !isStranger
            || all.strangers < limits.streamsOfStrangers
                && addresses[address]?.strangers ?? 0 < limits.streamsOfAddress
    }

    /// The bytes waiting for all readers.
    var unread: Int { all.unread.bytes }

    /// Returns a new stream that is counted.
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

    /// Disconnects the readers with the most unread data where limits are exceeded.
    ///
    /// - Returns: the number of disconnected readers.
    func relieve() -> Int {
        guard alarm.takeOff() else { return 0 }
        var count = 0
        for account in parties.values { count += account.relieve() }
        for account in addresses.values { count += account.relieve() }
        return count + all.relieve()
    }

    /// Forgets readers that have left.
    func everySecond() {
        parties = parties.filter { $0.value.isUsed() }
        addresses = addresses.filter { $0.value.isUsed() }
        _ = all.isUsed()
    }
}
