internal import Contract
internal import DequeModule
internal import MQTT

/// A line's readers of events: who reads which filters, and what the broker says to them.
struct ReaderDesk {
    struct Reader {
        let stream: EventStream
        let openedAt: Duration
        var lastWritten: Duration
    }

    private struct Opening {
        let stream: EventStream
        /// Filters without their answer.
        var open: Set<String>
        let deadline: Duration
        let answer: Switchboard.Answer<EventStream>
    }

    private struct Use {
        var isGranted = false
        /// Since when no reader reads it.
        var unusedSince: Duration?
    }

    private let epoch: UInt64
    private let limits: WebSettings.Limits
    private(set) var streams: [Reader] = []
    private var openings: [Opening] = []
    private var filters: [String: Use] = [:]
    /// What the broker's answers are about, in their order; nil: one of the line's own topics.
    private var questions: Deque<String?> = []
    private var journal: Journal

    init(epoch: UInt64, _ limits: WebSettings.Limits) {
        self.epoch = epoch
        self.limits = limits
        journal = Journal(capacity: limits.journal)
    }

    // MARK: Coming and going

    /// A reader who was here before, and has missed nothing that is not known any more.
    mutating func resume(_ wanted: [String], after last: EventID, at now: Duration) -> EventStream?
    {
        guard last.epoch == epoch, let missed = journal.entries(after: last.number),
            wanted.allSatisfy({ filters[$0]?.isGranted ?? false })
        else { return nil }
        let stream = add(wanted, at: now)
        for entry in missed where wanted.matches(entry.event.topic) {
            stream.write(entry.event.text(EventID(epoch: epoch, number: entry.number)))
        }
        return stream
    }

    /// - Returns: what has to be subscribed to.
    mutating func open(
        _ wanted: [String], asksAgain: Bool, isConnected: Bool, at now: Duration,
        _ answer: @escaping Switchboard.Answer<EventStream>
    ) -> [String] {
        let stream = add(wanted, at: now)
        if asksAgain { stream.write(Event.reset) }
        openings.append(
            Opening(
                stream: stream, open: Set(wanted), deadline: now + limits.answer, answer: answer))
        guard isConnected else { return [] }
        questions.append(contentsOf: wanted.map { $0 })
        return wanted
    }

    private mutating func add(_ wanted: [String], at now: Duration) -> EventStream {
        if streams.count >= limits.streamsOfVisitor, let oldest = streams.first {
            oldest.stream.end()
            remove(oldest.stream, at: now)
        }
        let stream = EventStream(wanted, backlog: limits.backlog)
        streams.append(Reader(stream: stream, openedAt: now, lastWritten: now))
        for filter in wanted { filters[filter, default: Use()].unusedSince = nil }
        return stream
    }

    mutating func remove(_ stream: EventStream, at now: Duration) {
        streams.removeAll { $0.stream === stream }
        for filter in stream.filters where !isRead(filter) {
            filters[filter]?.unusedSince = now
        }
    }

    private func isRead(_ filter: String) -> Bool {
        streams.contains { $0.stream.filters.contains(filter) }
    }

    /// Filters that nobody has read for a while.
    mutating func takeUnused(at now: Duration) -> [String] {
        let unused = filters.filter { filter in
            filter.value.unusedSince.map { now - $0 > limits.idle } ?? false
        }
        for filter in unused.keys { filters[filter] = nil }
        return Array(unused.keys)
    }

    // MARK: The broker's answers

    mutating func expectAnswers(own count: Int) {
        questions = Deque(repeating: nil, count: count)
    }

    /// After the connection was made anew.
    ///
    /// - Returns: what has to be subscribed to.
    mutating func reopen() -> [String] {
        for reader in streams where !openings.contains(where: { $0.stream === reader.stream }) {
            reader.stream.write(Event.reset)
        }
        let read = filters.keys.filter(isRead)
        filters = [:]
        for filter in read { filters[filter] = Use() }
        questions.append(contentsOf: read.map { $0 })
        return read
    }

    mutating func answered(granted: Bool) {
        guard let question = questions.popFirst(), let filter = question else { return }
        if granted {
            filters[filter]?.isGranted = true
            for index in openings.indices { openings[index].open.remove(filter) }
            let opened = openings.filter(\.open.isEmpty)
            openings.removeAll(where: \.open.isEmpty)
            for opening in opened { opening.answer(.success(opening.stream)) }
        } else {
            refuse(filter)
        }
    }

    private mutating func refuse(_ filter: String) {
        filters[filter] = nil
        let refused = openings.filter { $0.open.contains(filter) }
        openings.removeAll { $0.open.contains(filter) }
        for opening in refused {
            streams.removeAll { $0.stream === opening.stream }
            opening.stream.end()
            let problem = Problem(.notAllowed, "You may not read one of these topics.")
            opening.answer(.failure(Refusal(problem)))
        }
        for reader in streams where reader.stream.filters.contains(filter) {
            reader.stream.write(Event.refused(filter))
        }
    }

    /// - Parameter refusal: for who waits for the first word; others go on when there is a
    ///   connection again.
    mutating func fail(_ refusal: Refusal) {
        let all = openings
        openings = []
        for opening in all {
            streams.removeAll { $0.stream === opening.stream }
            opening.stream.end()
            opening.answer(.failure(refusal))
        }
    }

    mutating func end() {
        for reader in streams { reader.stream.end() }
        streams = []
        filters = [:]
    }

    // MARK: Events

    mutating func take(_ message: Message, _ renderer: inout Renderer) {
        guard filters.keys.matches(message.topic) else { return }
        let event = renderer.event(of: message)
        let number = message.retain ? journal.pass() : journal.append(event)
        let text = event.text(EventID(epoch: epoch, number: number))
        var slow: [EventStream] = []
        for reader in streams where reader.stream.filters.matches(message.topic) {
            renderer.events += 1
            if !reader.stream.write(text) { slow.append(reader.stream) }
        }
        renderer.overruns += slow.count
        streams.removeAll { reader in slow.contains { $0 === reader.stream } }
    }

    mutating func expire(at now: Duration) {
        let late = openings.filter { $0.deadline <= now }
        openings.removeAll { $0.deadline <= now }
        for opening in late {
            opening.stream.end()
            remove(opening.stream, at: now)
            opening.answer(.failure(.noAnswer))
        }
        for reader in streams where now - reader.openedAt > limits.answer * 2 {
            guard !reader.stream.isRead else { continue }
            reader.stream.end()
            remove(reader.stream, at: now)
        }
    }

    mutating func beat(at now: Duration) {
        for index in streams.indices where now - streams[index].lastWritten >= limits.heartbeat {
            streams[index].stream.write(Event.heartbeat)
            streams[index].lastWritten = now
        }
    }
}

extension Collection<String> {
    fileprivate func matches(_ topic: String) -> Bool {
        contains { TopicFilter($0).matches(topic) }
    }
}

extension Line {
    func open(
        _ filters: [String], after last: EventID?, at now: Duration,
        _ answer: @escaping Switchboard.Answer<EventStream>
    ) {
        guard mayBeUsed(at: now, orElse: answer) else { return }
        if isConnected, let last, let stream = readers.resume(filters, after: last, at: now) {
            return answer(.success(stream))
        }
        let wanted = readers.open(
            filters, asksAgain: last != nil, isConnected: isConnected, at: now, answer)
        for filter in wanted { subscribe(filter) }
    }

    func close(_ stream: EventStream, at now: Duration) {
        readers.remove(stream, at: now)
        lastUsed = now
    }
}
