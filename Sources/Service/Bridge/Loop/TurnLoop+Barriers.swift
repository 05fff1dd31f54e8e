internal import Contract
internal import MQTT

/// The gate's barriers: it holds acknowledgements to devices until the bridge has returned the
/// barrier behind the messages.
extension TurnLoop {
    /// Removes the barriers from received messages.
    func takeBarriers(among messages: [Message]) -> [Message] {
        messages.filter { message in
            guard let lane = barrierTopics.lane(of: message.topic) else { return true }
            // An empty one only ends the wait for more fixes.
            if !message.payload.isEmpty { barriers[lane] = message }
            return false
        }
    }

    /// Returns the barriers, now that everything received before them is on disk, unless messages
    /// were left at the broker.
    func returnBarriers(_ link: some BrokerLink) throws {
        guard !barriers.isEmpty else { return }
        defer { barriers = [:] }
        guard sparingSince == nil, overheard.isEmpty else { return }
        for lane in TopicRow.Lane.allCases {
            guard let barrier = barriers[lane] else { continue }
            _ = try link.send(
                Publication(
                    topic: settings.topics.committed(lane), payload: barrier.payload,
                    lane: .prompt))
        }
    }
}

/// Recognises the topics of barriers.
struct BarrierTopics {
    private let beginning: [UInt8]

    init(_ topics: TopicSpace) {
        let lane = TopicRow.Lane.stream
        beginning = topics.barrier(lane).utf8.dropLast(lane.rawValue.utf8.count)
    }

    func lane(of topic: String) -> TopicRow.Lane? {
        guard topic.utf8.starts(with: beginning) else { return nil }
        return TopicRow.Lane(rawValue: String(topic.utf8.dropFirst(beginning.count)) ?? "")
    }
}
