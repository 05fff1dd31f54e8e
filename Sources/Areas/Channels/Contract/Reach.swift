internal import JSON
public import Tracking

/// By what a member of a group would be told of an SOS while nothing of theirs is connected, as the
/// others see it: the kind of channel and whether it works, nothing about where it leads.
public struct Reach: Hashable, Sendable {
    public let kind: ChannelKind
    /// The hour in which something was last sent with success: what exactly is between the member
    /// and whoever sent it.
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
    /// `{by,workedAt?,failing?}`.
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
