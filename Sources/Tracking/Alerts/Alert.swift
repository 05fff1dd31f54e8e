/// Something that the people of a group are to be told.
public struct Alert: Hashable, Sendable, Codable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case journeyStarted = "journey-started"
        case journeyStopped = "journey-stopped"
        case journeyArrived = "journey-arrived"
        case late
        case stuck
        case moving
        case offline
        case online
        case silent
        case sos
        case sosStopped = "sos-stopped"
        case inNeed = "in-need"
        case assisted
    }

    public let id: UUIDv7
    public let kind: Kind
    public let group: GroupID
    public let at: Timestamp
    /// Where the person was then.
    public let fix: Fix?
    /// The journey concerned, for the sentence.
    public let destination: Destination?
    public let eta: Timestamp?
}
