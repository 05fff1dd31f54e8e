import DequeModule
import MQTT

/// Messages of QoS 1 for which the broker has no room yet, and whatever must not overtake them.
///
/// Of a retained topic only the newest message waits: a burst never leaves an older state behind
/// on the broker, and never more than one message for each topic here.
struct PublishQueue {
    /// Topics of retained messages, and the others themselves, in the order of their coming.
    private var line: Deque<Place> = []
    private var newest: [String: Publication] = [:]

    var isEmpty: Bool { line.isEmpty }
    var count: Int { line.count }

    private enum Place {
        case retained(topic: String)
        case other(Publication)
    }

    /// Keeps the message back where it would have to wait, or would overtake one that waits.
    ///
    /// - Returns: whether it was kept.
    mutating func holdsBack(_ publication: Publication, _ hasRoom: Bool) -> Bool {
        if publication.retain, let earlier = newest[publication.topic] {
            var publication = publication
            // What was important enough to be confirmed still is.
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

    /// The message that has waited longest; it waits no longer.
    mutating func next() -> Publication? {
        switch line.popFirst() {
        case nil: nil
        case .other(let publication): publication
        case .retained(let topic): newest.removeValue(forKey: topic)
        }
    }
}
