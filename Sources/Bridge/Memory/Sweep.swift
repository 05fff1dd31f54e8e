import Tracking

/// A deletion of what need not be kept any longer: begun every minute, and done in steps.
struct Sweep {
    /// What was old enough at this time is deleted.
    let startedAt: Timestamp
    /// The newest change of rights that every gate knows of.
    let accessChange: Int64
    /// When the next step is due.
    var next: Timestamp
}
