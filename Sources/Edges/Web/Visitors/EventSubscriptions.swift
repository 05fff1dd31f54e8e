internal import Contract
internal import MQTT

/// The event readers on a visitor connection: their filters, and the broker's grants.
struct EventSubscriptions {
    typealias Reader = EventReaders.Reader

    /// A reader whose filters the broker has not all granted yet.
    struct Opening {
        let reader: Reader
        /// The last event that the reader received, if everything since then is known.
        let last: EventID?
        /// Filters that have not been answered yet.
        var open: Set<String>
        /// Whether one of them had already been requested, so that retained messages may have been
        /// received.
        var isLate = false
        let answer: VisitorConnections.Answer<EventStream>
    }

    struct Use {
        var isGranted = false
        /// Whether it waits to be requested, or for the answer; set only where everyone may read
        /// everything.
        var isAsked = false
        var readers = 0
        /// The time since which no reader has used the filter.
        var unusedSince: Duration?

        mutating func note(isGranted: Bool) { (self.isGranted, isAsked) = (isGranted, false) }
    }

    let limits: WebSettings.Limits
    private let epoch: UInt64
    private(set) var readers = EventReaders()
    private(set) var openings: [Opening] = []
    private(set) var filters: [String: Use] = [:]
    /// The newest message of each topic, for later readers; nil: they get it from the broker, which
    /// checks permissions.
    private var latest: [String: Event]?
    /// The filters with wildcards.
    private var patterns = PatternIndex()
    /// The filters that the broker's pending answers are about.
    private var pendingAnswers: [Connection.SubscriptionID: String] = [:]
    private var history: EventHistory

    /// - Parameter isForAnybody: whether everyone may read everything here: then one subscription
    ///   serves any number of readers.
    init(epoch: UInt64, _ limits: WebSettings.Limits, isForAnybody: Bool = false) {
        latest = isForAnybody ? [:] : nil
        self.epoch = epoch
        self.limits = limits
        history = EventHistory(capacity: limits.history, maximumSize: limits.historySize)
    }

    // MARK: Adding and removing readers

    /// Prepares to admit a reader with these filters. Each of them is requested from the broker
    /// again, even if it was granted before: it may no longer be.
    ///
    /// - Parameter stream: a stream with all of these filters.
    /// - Returns: the request for the broker.
    mutating func open(
        _ stream: EventStream, _ wanted: [String], after last: EventID?, at now: Duration,
        _ answer: @escaping VisitorConnections.Answer<EventStream>
    ) -> SubscribeMode {
        if latest != nil, wanted.allSatisfy({ filters[$0]?.isGranted ?? false }) {
            letInAtOnce(stream, wanted, isBack: last != nil, at: now, answer)
            return .none
        }
        let isKnown = last.map { goesOn(wanted, after: $0) } ?? false
        let reader = Reader(stream: stream, openedAt: now, lastBeat: now)
        // Where everyone may read everything, granted filters stay granted.
        let open = latest == nil ? wanted : wanted.filter { filters[$0]?.isGranted != true }
        openings.append(
            Opening(
                reader: reader, last: isKnown ? last : nil, open: Set(open),
                isLate: latest != nil && wanted.contains { filters[$0] != nil },
                answer: answer))
        for filter in wanted {
            if filters[filter] == nil { patterns.insert(filter) }
            filters[filter, default: Use()].readers += 1
            filters[filter]?.unusedSince = nil
        }
        guard !isKnown else { return .withoutRetained }
        // Retained messages may arrive before the answer.
        if last != nil { stream.write(Event.reset) }
        readers.add(reader)
        return .withRetained
    }

    /// How to request a reader's filters from the broker.
    enum SubscribeMode {
        /// Not at all: everything is known.
        case none
        /// Only to check whether they are still granted: the reader resumes.
        case withoutRetained
        /// The same, with retained messages.
        case withRetained
    }

    private mutating func letInAtOnce(
        _ stream: EventStream, _ wanted: [String], isBack: Bool, at now: Duration,
        _ answer: VisitorConnections.Answer<EventStream>
    ) {
        for filter in wanted {
            filters[filter]?.readers += 1
            filters[filter]?.unusedSince = nil
        }
        if isBack { stream.write(Event.reset) }
        writeNewest(to: stream)
        readers.add(Reader(stream: stream, openedAt: now, lastBeat: now))
        answer(.success(stream))
    }

    private func writeNewest(to stream: EventStream) {
        let id = EventID(epoch: epoch, number: history.number).line
        for event in newest(of: Array(stream.filters), stream) { stream.write(id, event.lines) }
    }

    /// The newest message of each topic that a stream reads; only wildcards search all topics.
    private func newest(of wanted: [String], _ stream: EventStream) -> [Event] {
        guard let latest else { return [] }
        guard stream.hasPatterns else { return wanted.compactMap { latest[$0] } }
        let prefixes = wanted.map { PatternIndex.prefix(of: $0) }
        return latest.values.filter { event in
            prefixes.contains { event.topic.utf8.starts(with: $0.utf8.dropLast()) }
                && stream.matches(event.topic)
        }
    }

    private func goesOn(_ wanted: [String], after last: EventID) -> Bool {
        last.epoch == epoch && history.entries(after: last.number) != nil
            && wanted.allSatisfy { filters[$0]?.isGranted ?? false }
    }

    /// Records that the filter is to be requested.
    ///
    /// - Returns: false if it is already known or requested: later readers share the answer.
    mutating func ask(_ filter: String) -> Bool {
        guard let use = filters[filter], !use.isGranted, !use.isAsked else { return false }
        filters[filter]?.isAsked = true
        return true
    }

    /// Whether there are still readers of a filter that is to be requested now.
    mutating func isStillWanted(_ filter: String) -> Bool {
        if filters[filter]?.readers ?? 0 > 0 { return true }
        filters[filter]?.isAsked = false
        return false
    }

    /// Whether there is room for these filters besides the existing ones.
    func hasRoom(for wanted: [String]) -> Bool {
        filters.count + wanted.count { filters[$0] == nil } <= limits.filtersOfVisitor
    }

    /// - Returns: the filters to subscribe to again, with retained messages, if the reader cannot
    ///   resume after all.
    private mutating func letIn(_ opening: Opening, at now: Duration) -> [String] {
        let stream = opening.reader.stream
        if let last = opening.last {
            guard let missed = history.entries(after: last.number) else {
                openings.append(beginAnew(opening))
                return Array(stream.filters)
            }
            for entry in missed where stream.matches(entry.event.topic) {
                stream.write(
                    EventID(epoch: epoch, number: entry.number).line, entry.event.lines)
            }
            readers.add(opening.reader)
        }
        if opening.isLate { writeNewest(to: stream) }
        opening.answer(.success(stream))
        while readers.count > limits.streamsOfVisitor, let oldest = readers.all.first {
            remove(oldest.stream, at: now)
        }
        return []
    }

    /// Makes a reader that wanted to resume start from now, with retained messages first.
    private mutating func beginAnew(_ opening: Opening) -> Opening {
        let stream = opening.reader.stream
        stream.write(Event.reset)
        readers.add(opening.reader)
        return Opening(
            reader: opening.reader, last: nil, open: stream.filters, answer: opening.answer)
    }

    mutating func remove(_ stream: EventStream, at now: Duration) {
        guard readers.drop(stream) else { return }
        leave(stream, at: now)
    }

    /// Removes a reader from the filters that it used.
    private mutating func leave(_ stream: EventStream, at now: Duration) {
        stream.end()
        for filter in stream.filters {
            guard let count = filters[filter]?.readers else { continue }
            filters[filter]?.readers = count - 1
            if count == 1 { filters[filter]?.unusedSince = now }
        }
    }

    /// Returns the filters that no reader has used for a while.
    mutating func takeUnused(at now: Duration) -> [String] {
        let unused = filters.filter { filter in
            filter.value.unusedSince.map { now - $0 > limits.idle } ?? false
        }
        guard !unused.isEmpty else { return [] }
        for filter in unused.keys { filters[filter] = nil }
        notePatterns()
        latest = latest?.filter { isRead($0.key) }
        return Array(unused.keys)
    }

    private mutating func notePatterns() {
        patterns = PatternIndex(filters.keys)
    }

    // MARK: The broker's answers

    /// - Parameter id: the subscription's id on the current connection.
    mutating func expectAnswer(_ id: Connection.SubscriptionID, about filter: String) {
        pendingAnswers[id] = filter
    }

    /// Called after reconnecting.
    ///
    /// - Returns: the filters to subscribe to, ordered by number of readers, descending.
    mutating func reopen() -> [String] {
        pendingAnswers = [:]
        // Messages may have been missed in the meantime.
        _ = history.pass()
        if latest != nil { latest = [:] }
        for reader in readers.all
        where !openings.contains(where: { $0.reader.stream === reader.stream }) {
            reader.stream.write(Event.reset)
        }
        openings = openings.map { $0.last == nil ? $0 : beginAnew($0) }
        filters = filters.filter { $0.value.readers > 0 }
        for filter in filters.keys { filters[filter]?.note(isGranted: false) }
        notePatterns()
        return filters.keys.sorted { filters[$0]?.readers ?? 0 > filters[$1]?.readers ?? 0 }
    }

    /// - Returns: the filters to subscribe to again.
    mutating func answered(_ id: Connection.SubscriptionID, granted: Bool, at now: Duration)
        -> [String]
    {
        // The connection's own topics are not the readers'.
        guard let filter = pendingAnswers.removeValue(forKey: id) else { return [] }
        guard granted else {
            refuse(filter, at: now)
            return []
        }
        filters[filter]?.note(isGranted: true)
        for index in openings.indices { openings[index].open.remove(filter) }
        let opened = openings.filter(\.open.isEmpty)
        openings.removeAll(where: \.open.isEmpty)
        return opened.flatMap { letIn($0, at: now) }
    }

    mutating func refuse(_ filter: String, at now: Duration) {
        filters[filter]?.note(isGranted: false)
        for opening in openings where opening.open.contains(filter) {
            let problem = Problem(.notAllowed, "You cannot read at least one of these topics.")
            turnAway(opening, Refusal(problem), at: now)
        }
        for reader in readers.all where reader.stream.filters.contains(filter) {
            reader.stream.write(Event.refused(filter))
        }
    }

    /// - Parameter refusal: for readers still waiting for admission; the others continue once there
    ///   is a connection again.
    mutating func fail(_ refusal: Refusal, at now: Duration) {
        for opening in openings { turnAway(opening, refusal, at: now) }
    }

    private mutating func turnAway(_ opening: Opening, _ refusal: Refusal, at now: Duration) {
        let stream = opening.reader.stream
        openings.removeAll { $0.reader.stream === stream }
        readers.drop(stream)
        leave(stream, at: now)
        opening.answer(.failure(refusal))
    }

    mutating func end() {
        for reader in readers.all { reader.stream.end() }
        readers = EventReaders()
        filters = [:]
        patterns = PatternIndex()
    }

    // MARK: Events

    mutating func take(_ message: Message, at now: Duration, _ renderer: inout Renderer) {
        let matching = patterns.matching(message.topic)
        guard filters[message.topic] != nil || !matching.isEmpty else { return }
        let event = renderer.event(of: message)
        if latest != nil { latest?[message.topic] = message.payload.isEmpty ? nil : event }
        let number = message.retain ? history.pass() : history.append(event)
        let id = EventID(epoch: epoch, number: number).line
        var ended: [EventStream] = []
        for stream in readers.streams(of: message.topic, matching) {
            renderer.events += 1
            switch stream.write(id, event.lines) {
            case .taken: continue
            case .overrun: renderer.overruns += 1
            case .ended: break
            }
            ended.append(stream)
        }
        for stream in ended { remove(stream, at: now) }
    }

    private func isRead(_ topic: String) -> Bool {
        filters[topic] != nil || !patterns.matching(topic).isEmpty
    }

    mutating func expire(at now: Duration) {
        for opening in openings where now - opening.reader.openedAt > limits.answer {
            turnAway(opening, .noAnswer, at: now)
        }
        for reader in readers.all where now - reader.openedAt > limits.answer * 2 {
            // The browser left before the response.
            if !reader.stream.isRead { remove(reader.stream, at: now) }
        }
    }

    mutating func beat(at now: Duration) {
        for stream in readers.takeSilent(for: limits.heartbeat, at: now) {
            stream.write(Event.heartbeat)
        }
    }
}
