/// Something that the members of a group are to be told.
public struct Alert: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
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
        /// The person has left the group, but the SOS goes on elsewhere.
        case sosLeft = "sos-left"
        case inNeed = "in-need"
        /// Dispatch has not answered.
        case unanswered
        case assisted
        /// Somebody's vital signs are watched, and none come.
        case vitalsSilent = "vitals-silent"
        case vitalsBack = "vitals-back"

        /// Whether somebody is needed at once: members can say that they help.
        public var isCall: Bool { [.sos, .inNeed, .unanswered].contains(self) }
    }

    public let id: UUIDv7
    public let kind: Kind
    public let group: GroupID
    public let at: Timestamp
    /// The person's position at the time.
    public let fix: Fix?
    /// The journey concerned, for the sentence: without a destination but with an ETA, a check-in.
    public let destination: Destination?
    public let eta: Timestamp?
    /// Whether the call for help has ended a journey that the group followed.
    public let endsJourney: Bool

    public init(
        id: UUIDv7, kind: Kind, group: GroupID, at: Timestamp, fix: Fix?,
        destination: Destination?, eta: Timestamp?, endsJourney: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.at = at
        self.fix = fix
        self.destination = destination
        self.eta = eta
        self.endsJourney = endsJourney
    }

    /// Returns the same alert with a position that has become known since.
    public func located(_ later: Fix?) -> Alert {
        Alert(
            id: id, kind: kind, group: group, at: at, fix: fix ?? later, destination: destination,
            eta: eta, endsJourney: endsJourney)
    }
}
