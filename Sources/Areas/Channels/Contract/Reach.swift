internal import JSON
public import Tracking

/// A channel that would notify a group's member of an SOS while none of their devices is connected,
/// as the others see it: the kind and whether it works, without its destination.
public struct Reach: Hashable, Sendable {
    public let kind: ChannelKind
    /// The hour in which a delivery last succeeded: the exact time stays between the member and the
    /// sender.
    public let workedAt: Timestamp?
    /// Whether sending has failed since.
    public let isFailing: Bool

    public init(_ channel: Channel) {
        kind = channel.kind
        workedAt = channel.workedAt.map {
            Timestamp(milliseconds: $0.milliseconds - $0.milliseconds % Reach.hour)
        }
        isFailing = channel.failure != nil
    }

    private static let hour: Int64 = 3_600_000
}

extension JSONWriter {
    /// Writes `{by,workedAt?,failing?}`.
    mutating func reach(_ reach: Reach) {
        object { json in
            json.key("by")
            json.string(reach.kind.rawValue)
            if let workedAt = reach.workedAt {
                json.key("workedAt")
                json.time(workedAt)
            }
            if reach.isFailing {
                json.key("failing")
                json.bool(true)
            }
        }
    }
}
