package import MQTT

/// The bridge connection that a message uses: calls for help do not wait behind fixes.
package enum Lane: CaseIterable, Sendable {
    /// Requests, and messages that must not be lost: alerts, replies.
    case prompt
    /// Vital signs: they may call for help, so they do not wait behind fixes, and requests do not
    /// wait behind a thousand of them.
    case vitals
    /// Fixes and similar messages, and retained messages. At full load this lane may lag by
    /// seconds, as the broker queues all published messages for the bridge.
    case bulk
}

/// Three connections to the same broker as one link. Messages are ordered within each connection
/// only.
package final class LaneConnections<Single: BrokerLink>: BrokerLink {
    private let prompt: Single
    private let vitals: Single
    private let bulk: Single

    package init(prompt: Single, vitals: Single, bulk: Single) {
        self.prompt = prompt
        self.vitals = vitals
        self.bulk = bulk
    }

    private subscript(lane: Lane) -> Single {
        switch lane {
        case .prompt: prompt
        case .vitals: vitals
        case .bulk: bulk
        }
    }

    package func hasRoom(on lane: Lane) -> Bool { self[lane].hasRoom(on: lane) }

    package var unanswered: Int {
        Lane.allCases.reduce(0) { $0 + self[$1].unanswered }
    }

    /// Receives requests first, and never more than half of the limit, so that no lane keeps
    /// another waiting. Besides requests it receives few fixes and vital signs, so that the turn is
    /// short and the reply soon sent; besides a call for help it receives all fixes, as the
    /// caller's position may be among them, and one vital-signs message.
    package func receive(atMost limit: Int, bytes: Int) -> [Message] {
        let requests = receive(from: prompt, atMost: limit / 2, bytes)
        let hasCall = requests.contains { $0.topic.hasSuffix(Self.call) }
        let part = requests.isEmpty ? 1 : 4
        let fixes = hasCall ? 1 : part
        let samples = receive(
            from: vitals, atMost: hasCall ? 1 : max(1, limit / (2 * part)), bytes / (2 * part))
        // A sample that calls for help contains its wearer's position.
        return requests + receive(from: bulk, atMost: limit / fixes, bytes / fixes) + samples
    }

    package func receive(atMost limit: Int) -> [Message] {
        receive(atMost: limit, bytes: BridgeSettings.maximumBatchBytes)
    }

    private static var call: String { "/requests/" + Turn.call }

    /// Stops early if the messages are large: a small array may hold a thousand fixes.
    private func receive(from lane: Single, atMost limit: Int, _ bytes: Int) -> [Message] {
        var (messages, size) = ([Message](), 0)
        while messages.count < limit, size < bytes {
            guard let message = lane.receive(atMost: 1).first else { break }
            messages.append(message)
            size += message.payload.count
        }
        return messages
    }

    package func takeEvents() -> [Connection.Event] {
        Lane.allCases.flatMap { lane in
            self[lane].takeEvents().map { event in
                switch event {
                case .confirmed(let id): .confirmed(id.on(lane))
                case .refused(let id): .refused(id.on(lane))
                case .subscribed(let id, let granted):
                    .subscribed(id.on(lane), granted: granted)
                case .connected, .disconnected: event
                }
            }
        }
    }

    /// The subscriptions of all connections, by the identifiers of their answers here.
    package func subscriptions(
        prompt: [Connection.SubscriptionID], vitals: [Connection.SubscriptionID],
        bulk: [Connection.SubscriptionID]
    ) -> Set<Connection.SubscriptionID> {
        Set(
            prompt.map { $0.on(.prompt) } + vitals.map { $0.on(.vitals) }
                + bulk.map { $0.on(.bulk) })
    }

    package func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
        try self[publication.lane].send(publication).on(publication.lane)
    }

    package func flush() throws(MQTTError) {
        for lane in Lane.allCases { try self[lane].flush() }
    }

    package func flush(atMost patience: Duration?) throws(MQTTError) -> Bool {
        var isSent = true
        let end = patience.map { ContinuousClock.now + $0 }
        for lane in Lane.allCases {
            let rest = end.map { max(.zero, $0 - .now) }
            if try !self[lane].flush(atMost: rest) { isSent = false }
        }
        return isSent
    }

    package func pause(for duration: Duration) { prompt.pause(for: duration) }

    package func maintain() {
        for lane in Lane.allCases { self[lane].maintain() }
    }

    package func disconnect() {
        for lane in Lane.allCases { self[lane].disconnect() }
    }
}

extension Connection.PublishID {
    /// Packet identifiers are per connection, from 1 to 65,535.
    fileprivate func on(_ lane: Lane) -> Connection.PublishID {
        .init(rawValue: rawValue.on(lane))
    }
}

extension Connection.SubscriptionID {
    fileprivate func on(_ lane: Lane) -> Connection.SubscriptionID {
        .init(rawValue: rawValue.on(lane))
    }
}

extension Int32 {
    fileprivate func on(_ lane: Lane) -> Int32 {
        switch lane {
        case .bulk: self
        case .prompt: self | 1 << 16
        case .vitals: self | 2 << 16
        }
    }
}
