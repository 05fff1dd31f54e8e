public import Logging
public import MQTT

/// Forwards a group's state from Kith's broker to Home Assistant's, on the thread that runs it.
public final class ExporterLink {
    private let kith: ConnectionOptions
    private let home: ConnectionOptions
    private var exporter: Exporter
    private let logger: Logger
    private let waker: Waker

    /// Why a run ended.
    public enum Outcome: Sendable {
        /// The waker was woken.
        case ended
        /// Kith's broker no longer admits the observer: everything was withdrawn.
        case refused
    }

    /// The loss of either connection.
    private struct Lost: Error {
        let broker: String
        let error: MQTTError
    }

    /// - Parameter waker: ends the run.
    public init(
        from kith: ConnectionOptions, to home: ConnectionOptions, _ exporter: Exporter,
        _ logger: Logger,
        waker: Waker
    ) {
        (self.kith, self.exporter, self.logger, self.waker) = (kith, exporter, logger, waker)
        var home = home
        home.will = .init(topic: exporter.topics.availability, payload: Array("offline".utf8))
        self.home = home
    }

    /// Runs until it is to end.
    ///
    /// - Parameter isRunning: called after each wait.
    public func run(while isRunning: () -> Bool) -> Outcome {
        while isRunning() {
            do throws(Lost) {
                if try carry(while: isRunning) { return .refused }
            } catch {
                logger.warning(
                    "connection lost",
                    metadata: ["broker": "\(error.broker)", "reason": "\(error.error)"])
                waker.wait(atMost: ExporterLink.pause)
            }
        }
        return .ended
    }

    /// The pause before both connections are made again, in milliseconds.
    private static let pause: Int32 = 5_000
    /// The number of waits, of 50 milliseconds each, for messages retained on Home Assistant's
    /// broker.
    private static let settling = 20

    /// - Returns: whether the observer has ended; false when it is to end.
    private func carry(while isRunning: () -> Bool) throws(Lost) -> Bool {
        // Retained messages are received again, so that everything is compared.
        exporter = Exporter(exporter)
        let home = try Link("home-assistant", self.home)
        try home.open()
        try home.perform { connection throws(MQTTError) in
            _ = try connection.subscribe(to: exporter.topics.earlier)
        }
        let kith = try Link("kith", self.kith)
        do {
            try kith.open()
        } catch  where error.error.isRefusal {
            return try withdraw(home)
        }
        try kith.perform { [exporter] connection throws(MQTTError) in
            _ = try connection.subscribe(to: exporter.filters)
        }
        try home.publish(ExporterMessage(exporter.topics.availability, Array("online".utf8)))
        logger.info("connected")
        while isRunning() {
            let connections = [home.connection, kith.connection]
            try home.perform { _ throws(MQTTError) in
                try Connection.wait(for: connections, atMost: 1_000, waker: waker)
            }
            for message in try home.receive() where !message.payload.isEmpty {
                for answer in exporter.note(earlier: message.topic) { try home.publish(answer) }
            }
            for message in try kith.receive() {
                for answer in exporter.take(message.topic, message.payload) {
                    try home.publish(answer)
                }
            }
            // Publications must have been sent before receipt is confirmed to Kith's broker.
            try home.release()
            try kith.release()
        }
        try home.publish(ExporterMessage(exporter.topics.availability, Array("offline".utf8)))
        try home.end()
        try kith.end()
        return false
    }

    /// Withdraws everything that Home Assistant has of the group.
    private func withdraw(_ home: Link) throws(Lost) -> Bool {
        for _ in 0..<ExporterLink.settling {
            try home.perform { connection throws(MQTTError) in try connection.wait(atMost: 50) }
            for message in try home.receive() where !message.payload.isEmpty {
                for answer in exporter.note(earlier: message.topic) { try home.publish(answer) }
            }
            try home.release()
        }
        for answer in exporter.withdrawAll() { try home.publish(answer) }
        try home.publish(ExporterMessage(exporter.topics.availability, []))
        try home.end()
        return true
    }

    /// One of the two connections.
    private final class Link {
        let name: String
        let connection: Connection

        init(_ name: String, _ options: ConnectionOptions) throws(Lost) {
            self.name = name
            do throws(MQTTError) {
                connection = try Connection(options)
            } catch {
                throw Lost(broker: name, error: error)
            }
        }

        func perform(_ body: (Connection) throws(MQTTError) -> Void) throws(Lost) {
            do throws(MQTTError) { try body(connection) } catch {
                throw Lost(broker: name, error: error)
            }
        }

        func open() throws(Lost) {
            try perform { connection throws(MQTTError) in _ = try connection.open() }
        }

        func publish(_ message: ExporterMessage) throws(Lost) {
            try perform { connection throws(MQTTError) in
                _ = try connection.publish(
                    topic: message.topic, payload: message.payload, qos: .atLeastOnce, retain: true)
            }
        }

        func receive() throws(Lost) -> [Message] {
            let messages = connection.receive(atMost: 1_000)
            connection.maintain()
            for event in connection.takeEvents() {
                switch event {
                case .disconnected(let error): throw Lost(broker: name, error: error)
                case .subscribed(_, granted: false):
                    throw Lost(broker: name, error: .refusedSubscription)
                case .connected, .subscribed, .confirmed, .refused: break
                }
            }
            return messages
        }

        func release() throws(Lost) {
            try perform { connection throws(MQTTError) in try connection.release() }
        }

        /// Waits until the broker has confirmed everything, for a moment at most.
        func end() throws(Lost) {
            for _ in 0..<100 where connection.unanswered > 0 {
                try perform { connection throws(MQTTError) in
                    try connection.release()
                    try connection.wait(atMost: 50)
                }
                _ = try receive()
            }
            connection.disconnect()
            try release()
        }
    }
}

extension MQTTError {
    /// Whether the broker refused the client: in MQTT 5 "not authorised" or "bad user name or
    /// password".
    fileprivate var isRefusal: Bool { operation == .connect && [0x86, 0x87, 4, 5].contains(code) }
}
