/// The event readers on a visitor connection, in order of arrival, and by filter.
struct EventReaders {
    struct Reader {
        let stream: EventStream
        let openedAt: Duration
        /// When the last heartbeat was sent.
        var lastBeat: Duration
    }

    private(set) var all: [Reader] = []
    private var byFilter: [String: [EventStream]] = [:]

    var count: Int { all.count }

    mutating func add(_ reader: Reader) {
        let stream = reader.stream
        all.append(reader)
        for filter in stream.filters { byFilter[filter, default: []].append(stream) }
    }

    /// - Returns: whether it existed.
    @discardableResult
    mutating func drop(_ stream: EventStream) -> Bool {
        guard let index = all.firstIndex(where: { $0.stream === stream }) else { return false }
        all.remove(at: index)
        for filter in stream.filters {
            byFilter[filter]?.removeAll { $0 === stream }
            if byFilter[filter]?.isEmpty == true { byFilter[filter] = nil }
        }
        return true
    }

    /// Returns the streams without duplicates.
    ///
    /// - Parameter patterns: the filters with wildcards that match.
    func streams(of topic: String, _ patterns: [String]) -> [EventStream] {
        var streams = byFilter[topic] ?? []
        guard !patterns.isEmpty else { return streams }
        var known = Set(streams.map { ObjectIdentifier($0) })
        for pattern in patterns {
            for stream in byFilter[pattern] ?? []
            where known.insert(ObjectIdentifier(stream)).inserted { streams.append(stream) }
        }
        return streams
    }

    /// Returns the readers without a heartbeat for this long, and counts this as one.
    mutating func takeSilent(for time: Duration, at now: Duration) -> [EventStream] {
        var silent: [EventStream] = []
        for index in all.indices where now - all[index].lastBeat >= time {
            all[index].lastBeat = now
            silent.append(all[index].stream)
        }
        return silent
    }
}
