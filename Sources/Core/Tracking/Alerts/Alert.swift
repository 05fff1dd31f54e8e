/// A notification to the members of a group.
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
        /// The person has left the group, but the SOS continues elsewhere.
        case sosLeft = "sos-left"
        case inNeed = "in-need"
        /// Dispatch has not answered.
        case unanswered
        case assisted
        /// No vital signs of a monitored person are received.
        case vitalsSilent = "vitals-silent"
        case vitalsBack = "vitals-back"

        /// Whether help is needed immediately: members can respond that they help.
        public var isCall: Bool { [.sos, .inNeed, .unanswered].contains(self) }

        /// Whether it is a call for help, or about its end or progress.
        public var isOfCall: Bool {
            isCall || [.sosStopped, .sosLeft, .assisted].contains(self)
        }

        /// Whether groups that see the person in that state receive it, unless it is for one group.
        func concerns(_ state: Session.State) -> Bool {
            switch self {
            case .journeyStarted, .journeyStopped, .journeyArrived, .late, .stuck, .moving:
                state == .routing
            case .sos, .sosStopped, .sosLeft, .inNeed, .unanswered, .assisted: state == .sos
            case .offline, .online, .silent, .vitalsSilent, .vitalsBack: state.isWatched
            }
        }
    }

    public let id: UUIDv7
    public let kind: Kind
    public let group: GroupID
    public let at: Timestamp
    /// The person's position at the time; in a repeated call, the newest.
    public let fix: Fix?
    /// The journey concerned, for the sentence: without a destination but with an ETA, a check-in.
    public let destination: Destination?
    public let eta: Timestamp?
    /// Whether the group follows the journey, which waits until the SOS is over.
    public let journeyWaits: Bool
    /// Whether the device's clock was wrong, so that the call's time is its time of arrival.
    public let isClockWrong: Bool

    public init(
        id: UUIDv7, kind: Kind, group: GroupID, at: Timestamp, fix: Fix?,
        destination: Destination?, eta: Timestamp?, journeyWaits: Bool = false,
        isClockWrong: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.at = at
        self.fix = fix
        self.destination = destination
        self.eta = eta
        self.journeyWaits = journeyWaits
        self.isClockWrong = isClockWrong
    }

    /// The same alert with another position.
    public func showing(_ fix: Fix?) -> Alert {
        Alert(
            id: id, kind: kind, group: group, at: at, fix: fix, destination: destination, eta: eta,
            journeyWaits: journeyWaits, isClockWrong: isClockWrong)
    }

    /// Whether this repetition locates the person, and the alert did not before.
    public func locates(_ earlier: Alert, _ rules: Rules) -> Bool {
        fix != nil && (earlier.fix == nil || isLocated(rules) && !earlier.isLocated(rules))
    }

    /// Whether the alert has a recent position.
    func isLocated(_ rules: Rules) -> Bool {
        fix.map { at <= $0.takenAt + rules.locatedWithin } ?? false
    }
}
