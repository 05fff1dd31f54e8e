import Store
import Tracking

/// A deletion of what need not be kept any longer: begun every minute, and done in steps.
struct Sweep {
    /// What was old enough at this time is deleted.
    let startedAt: Timestamp
    /// The newest change of rights that every gate knows of.
    let accessChange: Int64
    /// How far paths of journeys are deleted, if those of an SOS are kept for longer.
    var journeysThrough: PathEnd?
    /// When the next step is due.
    var next: Timestamp
}
