/// The readers of events on a visitor connection, in the order in which they came, and by topic.
struct EventReaders {
    struct Reader {
        let stream: EventStream
        let openedAt: Duration
        /// When the last heartbeat was sent.
        var lastBeat: Duration
    }

    private(set) var all: [Reader] = []
    private var byTopic: [String: [EventStream]] = [:]
    /// Those whose filters have wildcards.
    private var withPatterns: [EventStream] = []

    var count: Int { all.count }

    mutating func add(_ reader: Reader) {
        let stream = reader.stream
        all.append(reader)
        for filter in stream.filters { byTopic[filter, default: []].append(stream) }
        if stream.hasPatterns { withPatterns.append(stream) }
    }

    /// - Returns: whether it was there.
    @discardableResult
    mutating func drop(_ stream: EventStream) -> Bool {
        guard let index = all.firstIndex(where: { $0.stream === stream }) else { return false }
        all.remove(at: index)
        for filter in stream.filters {
            byTopic[filter]?.removeAll { $0 === stream }
            if byTopic[filter]?.isEmpty == true { byTopic[filter] = nil }
        }
        if stream.hasPatterns { withPatterns.removeAll { $0 === stream } }
        return true
    }

    /// Each once.
    func streams(of topic: String) -> [EventStream] {
        let others = withPatterns.filter { !$0.filters.contains(topic) && $0.matches(topic) }
        return (byTopic[topic] ?? []) + others
    }

    /// Those that were sent no heartbeat for so long; this counts as one.
    mutating func takeSilent(for time: Duration, at now: Duration) -> [EventStream] {
        var silent: [EventStream] = []
        for index in all.indices where now - all[index].lastBeat >= time {
            all[index].lastBeat = now
            silent.append(all[index].stream)
        }
        return silent
    }
}
