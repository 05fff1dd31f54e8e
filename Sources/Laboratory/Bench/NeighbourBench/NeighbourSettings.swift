/// The extent of the nuisances and of the measurement.
public struct NeighbourSettings: Sendable {
    /// For how many seconds each situation is measured.
    public var seconds = 8
    /// After how many seconds anything that has not arrived counts as missing.
    public var patience = 60
    public var connections = 5_000
    public var timers = 10_000
    /// Members of the large group.
    public var groupSize = 1_000
    /// The watchers of that group, over MQTT and with browsers; fewer than its members.
    public var visitors = 500
    /// Numbers of the nuisances to measure, or parts of their names; empty for all.
    public var only: [String] = []
    public var tools: BenchTools

    public init(_ tools: BenchTools) { self.tools = tools }

    /// - Parameter number: as in the report, from 1.
    func includes(_ name: String, _ number: Int) -> Bool {
        only.isEmpty || only.contains { Int($0).map { $0 == number } ?? name.contains($0) }
    }
}
