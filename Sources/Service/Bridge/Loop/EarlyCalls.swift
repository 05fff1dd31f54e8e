internal import Contract
internal import Logging
internal import MQTT
internal import Tracking

/// Notifies groups of calls for help before they are stored, when that takes long: while a database
/// fails over, or cannot be used at all. A call is acknowledged only once it is stored, and its
/// alert then has the same id.
///
/// It receives a copy of each call over a connection of its own, since nothing can be sent on the
/// bridge's connections without also acknowledging what was received there.
final class EarlyCalls {
    private struct Call: Hashable {
        let topic: String
        let payload: [UInt8]
        /// When the broker received it.
        let stamp: String

        init?(_ message: Message) {
            guard EarlyCalls.isCall(message), message.payload.count <= PayloadLimits.maximum,
                let stamp = message.lastUserProperty, stamp.name == CallArrival.property
            else { return nil }
            (topic, payload, self.stamp) = (message.topic, message.payload, stamp.value)
        }
    }

    /// What is known of a call that no turn has handled yet.
    private struct Unhandled {
        let message: Message
        let number: Int
        let since: Duration
        /// The brokers where it was announced.
        var announced: Set<Int> = []
    }

    /// By broker.
    private var connections: [Int: any CallConnection] = [:]
    private let logger: Logger
    private var unhandled: [Call: Unhandled] = [:]
    /// Handled calls, the copies of which may still arrive.
    private var handled: [Call: Duration] = [:]
    private var lastNumber = 0

    /// The maximum number of calls kept; later ones wait until they are stored.
    static let most = 2_000
    /// How long the copy of a call may arrive after the call was handled.
    static let longestDelay = Duration.seconds(60)

    init(_ logger: Logger) { self.logger = logger }

    /// Goes on over another connection to a broker.
    func begin(_ connection: (any CallConnection)?, at broker: Int = 0) {
        connections[broker] = connection
    }

    /// Whether the connection to the broker is missing.
    func isLost(at broker: Int = 0) -> Bool { connections[broker] == nil }

    private static let end = "/requests/" + Turn.call

    /// To be called once a second.
    func receive(at now: Duration) {
        handled = handled.filter { now - $0.value <= EarlyCalls.longestDelay }
        unhandled = unhandled.filter { now - $0.value.since <= CallArrival.longestOutage }
        for (broker, connection) in connections {
            do throws(MQTTError) {
                for message in try connection.take() {
                    guard let call = Call(message), handled.removeValue(forKey: call) == nil else {
                        continue
                    }
                    note(call, message, at: now)
                }
            } catch {
                lose(broker)
            }
        }
    }

    private func lose(_ broker: Int) {
        connections[broker] = nil
        // What was sent last may be lost with it.
        for call in unhandled.keys { unhandled[call]?.announced.remove(broker) }
        if connections.isEmpty { handled = [:] }
    }

    private func note(_ call: Call, _ message: Message, at now: Duration) {
        guard unhandled[call] == nil, unhandled.count < EarlyCalls.most else { return }
        lastNumber += 1
        unhandled[call] = Unhandled(message: message, number: lastNumber, since: now)
    }

    /// Whether a message calls for help.
    static func isCall(_ message: Message) -> Bool { message.topic.hasSuffix(end) }

    /// Records that a turn is about to handle these calls: the broker sends no copies of those that
    /// it redelivers.
    func note(taken calls: [Message], at now: Duration) {
        for message in calls {
            if let call = Call(message) { note(call, message, at: now) }
        }
    }

    /// Records that a turn has handled these calls, and is committed.
    func note(handled calls: [Message], at now: Duration) {
        for message in calls {
            guard let call = Call(message) else { continue }
            unhandled[call] = nil
            if !connections.isEmpty, handled.count < EarlyCalls.most { handled[call] = now }
        }
    }

    /// Publishes the alerts of the calls that are not handled yet, each once, and of a person's
    /// calls only the first.
    ///
    /// - Parameters:
    ///   - mayReceive: whether something may be published to the broker of this number.
    ///   - alerts: returns none if the call has none, or none yet.
    func announce(
        at now: Duration, to mayReceive: (Int) -> Bool = { _ in true },
        _ alerts: (Message) -> [Publication]
    ) {
        receive(at: now)
        guard !unhandled.isEmpty else { return }
        let announced = unhandled.values.filter { !$0.announced.isEmpty }
        var callers: [Substring: Int] = [:]
        for entry in announced { callers[caller(entry.message)] = entry.number }
        for (call, entry) in unhandled.sorted(by: { $0.value.number < $1.value.number })
        where callers[caller(entry.message)] ?? entry.number == entry.number {
            let brokers = connections.keys.filter {
                mayReceive($0) && !entry.announced.contains($0)
            }
            guard !brokers.isEmpty else { continue }
            let publications = alerts(entry.message)
            guard !publications.isEmpty else { continue }
            for broker in brokers where publish(publications, to: broker) {
                unhandled[call]?.announced.insert(broker)
                callers[caller(entry.message)] = entry.number
            }
            guard entry.announced.isEmpty, unhandled[call]?.announced.isEmpty == false else {
                continue
            }
            logger.warning("A call for help cannot be stored yet; its groups have been notified.")
        }
    }

    /// - Returns: whether the connection accepted them.
    private func publish(_ publications: [Publication], to broker: Int) -> Bool {
        do throws(MQTTError) {
            try connections[broker]?.publish(publications)
            return true
        } catch {
            lose(broker)
            return false
        }
    }

    /// The user's part of the topic.
    private func caller(_ message: Message) -> Substring {
        message.topic.firstRange(of: "/devices/").map { message.topic[..<$0.lowerBound] }
            ?? message.topic[...]
    }
}

/// Where copies of calls are received and alerts published.
protocol CallConnection {
    /// Returns the messages received since the last time, without waiting.
    func take() throws(MQTTError) -> [Message]
    /// - Throws: if the connection is lost.
    func publish(_ publications: [Publication]) throws(MQTTError)
}
