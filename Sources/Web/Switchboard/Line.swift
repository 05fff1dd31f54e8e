internal import Contract
internal import MQTT

/// One visitor's connection to the broker, and what hangs on it. Belongs to the loop's thread.
final class Line {
    enum State {
        case connecting(since: Duration)
        case connected
        /// Until it is tried again.
        case waiting(until: Duration)
        /// The broker does not take the visitor in.
        case refused
        case closed
    }

    let visitor: Visitor
    let limits: WebSettings.Limits
    let topics: LineTopics
    /// Tells it from the lines that the visitor has had before.
    let epoch: UInt64
    private let options: ConnectionOptions

    private(set) var connection: Connection?
    private(set) var state: State
    private var failures = 0
    private var connectedWaiters: [Switchboard.Answer<Void>] = []
    var lastUsed: Duration

    var requests = RequestDesk()
    var fixes = FixDesk()
    var readers: ReaderDesk

    init(_ visitor: Visitor, _ settings: WebSettings, at now: Duration) {
        var random = SystemRandomNumberGenerator()
        self.visitor = visitor
        limits = settings.limits
        epoch = random.next() >> 20
        let suffix = String(random.next(), radix: 36)
        topics = LineTopics(visitor, settings.topics, clientID: visitor.clientID(suffix))
        readers = ReaderDesk(epoch: epoch, limits)
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port,
            clientID: visitor.clientID(suffix))
        options.username = visitor.credentials?.username
        options.password = visitor.credentials?.password
        options.tls = settings.broker.tls
        self.options = options
        state = .waiting(until: now)
        lastUsed = now
    }

    var isConnected: Bool { if case .connected = state { true } else { false } }
    var streamCount: Int { readers.streams.count }
    var waitingCount: Int { requests.count + fixes.count }

    /// Whether the loop may forget it.
    var isOver: Bool {
        switch state {
        case .refused, .closed: true
        case .connecting, .connected, .waiting: false
        }
    }

    // MARK: Life

    /// Reads what is there, and connects where that is due.
    func turn(at now: Duration, _ renderer: inout Renderer) {
        if case .waiting(let until) = state, now >= until { connect(at: now) }
        guard let connection else { return }
        let messages = connection.receive(atMost: Line.batch)
        for event in connection.takeEvents() { note(event, at: now) }
        for message in messages { take(message, &renderer) }
        flush()
    }

    func everySecond(at now: Duration, _ renderer: inout Renderer) {
        connection?.maintain()
        turn(at: now, &renderer)
        if case .connecting(let since) = state, now - since > limits.answer {
            lose(at: now, .noBroker)
        }
        requests.expire(at: now)
        fixes.expire(at: now)
        readers.expire(at: now)
        readers.beat(at: now)
        if isConnected {
            for filter in readers.takeUnused(at: now) { unsubscribe(filter) }
        }
        if streamCount > 0 || waitingCount > 0 { lastUsed = max(lastUsed, now) }
        if now - lastUsed > limits.idle { close() }
    }

    /// Sends what is published.
    func flush() {
        guard let connection else { return }
        // A failure comes as an event as well.
        do throws(MQTTError) { try connection.release() } catch {}
    }

    /// Everybody who waits is told so, and the line is of no more use.
    func end(_ refusal: Refusal) {
        fail(refusal)
        readers.end()
        close()
    }

    func endReaders() {
        readers.fail(.noBroker)
        readers.end()
    }

    private func close() {
        connection?.disconnect()
        flush()
        connection = nil
        if !isOver { state = .closed }
        fail(.noBroker)
    }

    private func fail(_ refusal: Refusal) {
        let waiters = connectedWaiters
        connectedWaiters = []
        for answer in waiters { answer(.failure(refusal)) }
        requests.fail(refusal)
        fixes.fail(refusal)
        readers.fail(refusal)
    }

    // MARK: The connection

    private func connect(at now: Duration) {
        do throws(MQTTError) {
            let connection = try Connection(options)
            try connection.connect()
            self.connection = connection
            state = .connecting(since: now)
        } catch {
            lose(at: now, .noBroker)
        }
    }

    private func note(_ event: Connection.Event, at now: Duration) {
        switch event {
        case .connected: begin(at: now)
        case .disconnected(let error):
            if error.isRefusalOfCredentials {
                state = .refused
                end(.notLoggedIn)
            } else {
                lose(at: now, .noBroker)
            }
        case .confirmed(let id): fixes.confirm(id)
        case .subscribed(let granted): readers.answered(granted: granted)
        }
    }

    private func begin(at now: Duration) {
        state = .connected
        failures = 0
        lastUsed = max(lastUsed, now)
        // Its own topics first: what was asked is answered there.
        for filter in topics.own { subscribe(filter) }
        readers.expectAnswers(own: topics.own.count)
        for filter in readers.reopen() { subscribe(filter) }
        let waiters = connectedWaiters
        connectedWaiters = []
        for answer in waiters { answer(.success(())) }
        if let connection {
            requests.flush(to: connection)
            fixes.flush(to: connection)
        }
    }

    private func lose(at now: Duration, _ refusal: Refusal) {
        guard !isOver else { return }
        connection = nil
        fail(refusal)
        // Not everybody at once, and ever more rarely.
        let pause = Duration.milliseconds(Int64.random(in: 500...1500)) * (1 << min(failures, 5))
        failures += 1
        state = .waiting(until: now + pause)
    }

    func subscribe(_ filter: String) {
        // Without a connection it is done when there is one again.
        do throws(MQTTError) { try connection?.subscribe(to: [filter]) } catch {}
    }

    private func unsubscribe(_ filter: String) {
        do throws(MQTTError) { try connection?.unsubscribe(from: [filter]) } catch {}
    }

    private func take(_ message: Message, _ renderer: inout Renderer) {
        if message.topic == topics.replies {
            return requests.take(message)
        }
        if message.topic == topics.stored { fixes.takeReceipt(message.payload) }
        if message.topic == topics.rejected { fixes.takeRejection(message.payload) }
        readers.take(message, &renderer)
    }

    func whenConnected(_ answer: @escaping Switchboard.Answer<Void>) {
        switch state {
        case .connected: answer(.success(()))
        case .connecting: connectedWaiters.append(answer)
        case .refused: answer(.failure(.notLoggedIn))
        case .waiting, .closed: answer(.failure(.noBroker))
        }
    }

    /// Messages read at a time.
    private static let batch = 200
}

extension MQTTError {
    /// "Bad user name or password", "not authorized" (MQTT 5, 3.2.2.2; MQTT 3.1.1, 3.2.2.3).
    fileprivate var isRefusalOfCredentials: Bool {
        operation == .connect && [4, 5, 0x86, 0x87].contains(code)
    }
}
