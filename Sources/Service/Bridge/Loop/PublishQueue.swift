import DequeModule
import MQTT

/// QoS 1 messages for which the broker has no room yet, and those that must not overtake them.
///
/// For a retained topic only the newest message waits: a burst never leaves an outdated state on
/// the broker, and never takes up more than one message per topic here.
struct PublishQueue {
    /// Topics of retained messages, and the other messages themselves, in order of arrival.
    private var line: Deque<Entry> = []
    private var newest: [String: Publication] = [:]

    var isEmpty: Bool { line.isEmpty }
    var count: Int { line.count }

    private enum Entry {
        case retained(topic: String)
        case other(Publication)
    }

    /// Holds the message back if it would have to wait, or would overtake a waiting one.
    ///
    /// - Returns: whether it was held back.
    mutating func holdsBack(_ publication: Publication, _ hasRoom: Bool) -> Bool {
        if publication.retain, let earlier = newest[publication.topic] {
            var publication = publication
            // If the earlier message was important enough to be acknowledged, so is this one.
            publication.qos = earlier.qos
            newest[publication.topic] = publication
            return true
        }
        guard publication.qos != .atMostOnce, !hasRoom || !line.isEmpty else { return false }
        if publication.retain {
            newest[publication.topic] = publication
            line.append(.retained(topic: publication.topic))
        } else {
            line.append(.other(publication))
        }
        return true
    }

    /// Removes and returns the message that has waited longest.
    mutating func next() -> Publication? {
        switch line.popFirst() {
        case nil: nil
        case .other(let publication): publication
        case .retained(let topic): newest.removeValue(forKey: topic)
        }
    }
}
