public import Contract
internal import Tracking

/// A phone to be: whose it is, where it goes, and what happens to it on the way.
///
/// Gaps, buffers and actions are timed by the track: at twenty times the speed they come twenty
/// times as soon.
public struct Phone: Sendable {
    /// What it speaks.
    public enum Format: String, CaseIterable, Sendable {
        /// Kith's own contract, over MQTT 5.
        case kith
        /// What an unmodified OwnTracks app sends, over MQTT 3.1.1. It knows whole seconds only:
        /// of several fixes within one second the first is sent.
        case ownTracks = "owntracks"
    }

    public var user: Name
    public var device: Name
    public var track: Track
    public var format = Format.kith
    /// In real time, after the fleet's start.
    public var startsAfter = Duration.zero
    /// Whether it turns around at either end of the track, and never ends.
    public var goesBackAndForth = false
    /// When it takes no fixes at all.
    public var gaps: [Range<Duration>] = []
    /// When it sends nothing; what it takes meanwhile it sends afterwards.
    public var buffers: [Range<Duration>] = []
    /// Metres: the deviation of an additional, slowly wandering error. 0 for none.
    public var jitter = 0.0
    /// What it asks for.
    public var actions: [Action] = []
    /// Whether it numbers its fixes and keeps each until its receipt; an OwnTracks phone does not,
    /// whatever is said here.
    public var numbersFixes = false
    /// For the jitter and for the delays before it connects again.
    public var seed: UInt64 = 1
    /// Percent at the start; it falls with time.
    public var battery = 80.0
    /// Nil: the user's name where there is a password, and nobody otherwise.
    public var username: String?
    public var password: String?

    public init(user: Name, device: Name, track: Track) {
        self.user = user
        self.device = device
        self.track = track
    }

    /// Percent lost in an hour.
    private static let discharge = 8.0
    private static let lowestBattery = 4.0

    /// Whether a receipt, and not the broker's confirmation, lets it forget a fix.
    var wantsReceipts: Bool { numbersFixes && format == .kith }

    /// Whole percent.
    func battery(after duration: Duration) -> Double {
        let left = battery - duration.inSeconds / 3600 * Phone.discharge
        return max(min(battery, Phone.lowestBattery), left).rounded()
    }
}
