internal import Contract
internal import MQTT

/// The gate's barriers: it holds acknowledgements to devices until the bridge has returned the
/// barrier behind the messages.
extension TurnLoop {
    /// Returns the barriers, now that everything received before them is on disk, unless messages
    /// were left at the broker.
    func returnBarriers() throws {
        let isComplete = sparingSince == nil && overheard.isEmpty
        for broker in brokers {
            if isComplete { try broker.returnBarriers() } else { broker.forgetBarriers() }
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
