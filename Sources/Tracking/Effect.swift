/// What the owner of a tracker is to do after an event, in this order.
public enum Effect: Equatable, Sendable {
    /// The state that the group sees has changed; urgent unless only the position did.
    case memberChanged(GroupID, urgent: Bool)
    /// The person came online or went offline; the states say so as well.
    case presenceChanged(isOnline: Bool)
    /// To be told now, and again under the same id while it is repeated (`repetition` > 0).
    case alert(Alert, repetition: Int)
    case pathBegan(Path)
    /// The fix just received belongs to the path with this number.
    case pathGrew(number: Int64)
    /// The segment that the path's tail holds is full.
    case segmentCompleted(number: Int64, segment: Int, points: [Path.Point])
    /// Points came in between, or the path changed its mode or its groups: it is to be published
    /// anew, from the segment that holds `from`, or whole.
    case pathChanged(number: Int64, from: Timestamp?)
    /// The path is over. A journey's is withdrawn from its groups.
    case pathEnded(number: Int64, withdrawn: Bool)
    /// These groups no longer see the path that goes on for others.
    case pathWithdrawn(number: Int64, from: GroupID)
    /// The person is to be told that they have been sharing, without a thought since then.
    case reminder(since: Timestamp)

    /// Whether the same stored fix brings about the same again at the next start; the tracker has to
    /// be saved with anything else.
    public var isReplayable: Bool {
        switch self {
        case .memberChanged, .presenceChanged, .pathGrew, .segmentCompleted: true
        case .alert, .pathBegan, .pathChanged, .pathEnded, .pathWithdrawn, .reminder: false
        }
    }

    /// Whether something may be due earlier than before.
    public var mayHasten: Bool {
        switch self {
        case .memberChanged(_, urgent: false), .pathGrew, .segmentCompleted: false
        case .memberChanged(_, urgent: true), .presenceChanged, .alert, .pathBegan, .pathChanged,
            .pathEnded, .pathWithdrawn, .reminder:
            true
        }
    }
}
