import Store
import Tracking

/// What journeys and paths need between turns.
struct JourneyState {
    var paths = RetainedPaths()
    /// The last path that was withdrawn because it ended long ago.
    var withdrawnThrough: PathEnd?
    /// The last path that sweeps have looked at for each kind: all of that kind up to it are deleted.
    var swept: [Path.Mode: PathEnd] = [:]
}
