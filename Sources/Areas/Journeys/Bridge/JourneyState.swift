import Store
import Tracking

/// The state of journeys and paths between turns.
struct JourneyState {
    var paths = RetainedPaths()
    /// The last path withdrawn because it ended long ago.
    var withdrawnThrough: PathEnd?
    /// The last path of each kind examined by sweeps: all of that kind up to it are deleted.
    var swept: [Path.Mode: PathEnd] = [:]
}
