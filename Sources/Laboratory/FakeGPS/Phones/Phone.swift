public import Contract
internal import Tracking

/// The description of a phone: its owner, its track, and what happens on the way.
///
/// Gaps, buffers and actions are timed by the track: at twenty times the speed they occur twenty
/// times as early.
public struct Phone: Sendable {
    /// The protocol that it speaks.
    public enum Format: String, CaseIterable, Sendable {
        /// Kith's own contract, over MQTT 5.
        case kith
        /// The format of an unmodified OwnTracks app, over MQTT 3.1.1. Its times are whole seconds:
        /// of several fixes within one second only the first is sent.
        case ownTracks = "owntracks"
    }

    public var user: Name
    public var device: Name
    public var track: Track
    public var format = Format.kith
    /// The delay after the fleet's start, in real time.
    public var startsAfter = Duration.zero
    /// Whether it turns around at either end of the track, so that it never finishes.
    public var goesBackAndForth = false
    /// Periods in which it takes no fixes at all.
    public var gaps: [Range<Duration>] = []
    /// Periods in which it sends nothing; fixes taken meanwhile are sent afterwards.
    public var buffers: [Range<Duration>] = []
    /// The standard deviation in metres of an additional, slowly drifting error. 0 for none.
    public var jitter = 0.0
    /// The requests that it makes.
    public var actions: [Action] = []
    /// The time from one round of the actions to the next, on the track's clock; nil if there is
    /// only one round. Longer than the last action takes.
    public var repeatsActionsEvery: Duration?
    /// Whether it numbers its fixes and keeps each until its receipt; ignored for an OwnTracks
    /// phone, which never does.
    public var numbersFixes = false
    /// A watch that sends vital signs; nil for none. Like a simple watch, it does not keep them
    /// until they are stored.
    public var wearable: Wearable?
    /// Seeds the jitter and the delays before reconnecting.
    public var seed: UInt64 = 1
    /// The charge at the start, in percent; it falls with time.
    public var battery = 80.0
    /// Nil for the user's name if there is a password, and for an anonymous connection otherwise.
    public var username: String?
    public var password: String?

    public init(user: Name, device: Name, track: Track) {
        self.user = user
        self.device = device
        self.track = track
    }

    /// The charge lost per hour, in percent.
    private static let discharge = 8.0
    private static let lowestBattery = 4.0

    /// Whether it keeps a fix until a receipt comes, rather than the broker's acknowledgement.
    var wantsReceipts: Bool { numbersFixes && format == .kith }

    /// Returns the charge in whole percent.
    func battery(after duration: Duration) -> Double {
        let left = battery - duration.inSeconds / 3600 * Phone.discharge
        return max(min(battery, Phone.lowestBattery), left).rounded()
    }
}
