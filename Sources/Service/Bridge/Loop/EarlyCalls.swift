internal import Contract
internal import Logging
internal import MQTT
internal import Tracking

/// Notifies groups of calls for help before they are stored, when that takes long: while a database
/// fails over, or cannot be used at all. A call is acknowledged only once it is stored, and its
/// alert then has the same id.
///
/// It hears a copy of each call over a connection of its own, since nothing could be sent on the
/// bridge's connections without also acknowledging what was received there.
final class EarlyCalls {
    private struct Call: Hashable {
        let topic: String
        let payload: [UInt8]
        /// When the broker received it.
        let stamp: String

        init?(_ message: Message) {
            guard let stamp = message.lastUserProperty, stamp.name == CallArrival.property else {
                return nil
            }
            (topic, payload, self.stamp) = (message.topic, message.payload, stamp.value)
        }
    }

    private let hear: () throws(MQTTError) -> [Message]
    private let say: ([Publication]) throws(MQTTError) -> Void
    private let logger: Logger
    /// The calls that no turn has handled yet, in the order of arrival.
    private var unhandled: [(call: Call, message: Message, isTold: Bool)] = []
    /// Handled calls, the copies of which may still arrive.
    private var handled: [(call: Call, at: Duration)] = []
    /// Whether its connection was lost: it hears nothing more.
    private(set) var isLost = false

    /// The maximum number of calls kept; later ones wait until they are stored.
    static let most = 10_000
    /// How long the copy of a call may arrive after the call was handled.
    static let longestDelay = Duration.seconds(60)

    /// - Parameters:
    ///   - hear: returns the calls since the last time, without waiting.
    ///   - say: publishes alerts.
    init(
        _ logger: Logger, hear: @escaping () throws(MQTTError) -> [Message],
        say: @escaping ([Publication]) throws(MQTTError) -> Void
    ) {
        (self.logger, self.hear, self.say) = (logger, hear, say)
    }

    /// To be called once a second.
    func listen(at now: Duration) {
        guard !isLost else { return }
        handled.removeAll { now - $0.at > EarlyCalls.longestDelay }
        do throws(MQTTError) {
            for message in try hear() {
                guard let call = Call(message) else { continue }
                if let index = handled.firstIndex(where: { $0.call == call }) {
                    handled.remove(at: index)
                } else if unhandled.count < EarlyCalls.most {
                    unhandled.append((call, message, false))
                }
            }
        } catch {
            isLost = true
        }
    }

    /// Records that a turn has handled these messages, and is committed.
    func note(handled messages: [Message], at now: Duration) {
        for message in messages where message.topic.hasSuffix(EarlyCalls.end) {
            guard let call = Call(message) else { continue }
            if let index = unhandled.firstIndex(where: { $0.call == call }) {
                unhandled.remove(at: index)
            } else if handled.count < EarlyCalls.most {
                handled.append((call, now))
            }
        }
    }

    private static var end: String { "/requests/" + Turn.call }

    /// Publishes the alerts of the calls that are not handled yet, each once.
    func tell(_ alerts: (Message) -> [Publication], at now: Duration) {
        listen(at: now)
        for index in unhandled.indices where !isLost && !unhandled[index].isTold {
            let publications = alerts(unhandled[index].message)
            unhandled[index].isTold = true
            guard !publications.isEmpty else { continue }
            do throws(MQTTError) {
                try say(publications)
                logger.warning(
                    "A call for help cannot be stored yet; its groups have been notified.")
            } catch {
                isLost = true
            }
        }
    }
}

extension EarlyCalls {
    convenience init(_ connection: SideConnection, _ logger: Logger) {
        self.init(logger) { () throws(MQTTError) in
            try connection.take()
        } say: { publications throws(MQTTError) in
            try connection.say(publications)
        }
    }
}
