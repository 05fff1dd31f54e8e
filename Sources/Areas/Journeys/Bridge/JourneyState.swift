import Store
import Tracking

/// The state of journeys and paths between turns.
final class JourneyState: AreaState {
    var paths = RetainedPaths()
    /// The last path withdrawn because it ended long ago.
    var withdrawnThrough: PathEnd?
    /// The last path of each kind examined by sweeps: all of that kind up to it are deleted.
    var swept: [Path.Mode: PathEnd] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) {}

    /// The broker's messages do not depend on the store.
    func takeOver(_ old: JourneyState) { paths = old.paths }
}
