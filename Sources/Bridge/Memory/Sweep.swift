import Store
import Tracking

/// What is deleted because it need not be kept any longer: begun every minute, and done in steps.
struct Sweep {
    /// Nobody needs what was old enough then.
    let startedAt: Timestamp
    /// The newest change of rights that every gate knows.
    let accessChange: Int64
    /// Up to which journeys are gone, where paths of an SOS are kept for longer.
    var journeysThrough: PathEnd?
    /// When the next step is due.
    var next: Timestamp
}
