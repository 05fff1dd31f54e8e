import Store
import Tracking

/// What journeys and paths need between turns.
struct JourneyState {
    var paths = RetainedPaths()
    /// The last path that was withdrawn because it ended long ago.
    var withdrawnThrough: PathEnd?
    /// How far a sweep has deleted paths of journeys, if those of an SOS are kept for longer.
    var swept: (through: PathEnd?, by: Timestamp)?
}
