/// An action for the tracker's owner after an event, in this order.
public enum Effect: Equatable, Sendable {
    /// The state that the group sees has changed; urgent unless only the position did.
    case memberChanged(GroupID, urgent: Bool)
    /// The person came online or went offline; the states also show it.
    case presenceChanged(isOnline: Bool)
    /// To be sent now, and again under the same id while it is repeated (`repetition` > 0).
    case alert(Alert, repetition: Int)
    case pathBegan(Path)
    /// The fix just received belongs to the path with this number.
    case pathGrew(number: Int64)
    /// The segment in the path's tail is full.
    case segmentCompleted(number: Int64, segment: Int, points: [Path.Point])
    /// Points were inserted, or the path changed its mode or its groups: it is to be republished,
    /// from the segment that holds `from`, or as a whole.
    case pathChanged(number: Int64, from: Timestamp?)
    /// The path is over. A journey's path is withdrawn from its groups.
    case pathEnded(number: Int64, withdrawn: Bool)
    /// The group no longer sees the path, which continues for others.
    case pathWithdrawn(number: Int64, from: GroupID)
    /// The time for which the position was shared with the group is over.
    case sharingEnded(GroupID)
    /// Sharing is paused or resumed.
    case pauseChanged
    /// The position is now the last one of another device, without a fix received.
    case deviceChanged
    /// The person is to be reminded that they have been sharing since then without any interaction.
    case reminder(since: Timestamp)

    /// Whether replaying the stored fixes at the next start has the same effect again; after any
    /// other effect the tracker has to be saved.
    public var isReplayable: Bool {
        switch self {
        case .memberChanged, .presenceChanged, .pathGrew, .segmentCompleted: true
        case .alert, .pathBegan, .pathChanged, .pathEnded, .pathWithdrawn, .reminder,
            .sharingEnded, .pauseChanged, .deviceChanged:
            false
        }
    }

    /// Whether anything may now be due earlier than before.
    public var mayHasten: Bool {
        switch self {
        case .memberChanged(_, urgent: false), .pathGrew, .segmentCompleted, .deviceChanged: false
        case .memberChanged(_, urgent: true), .presenceChanged, .alert, .pathBegan, .pathChanged,
            .pathEnded, .pathWithdrawn, .reminder, .sharingEnded, .pauseChanged:
            true
        }
    }
}
