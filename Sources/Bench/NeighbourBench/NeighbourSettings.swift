/// How many neighbours make trouble.
public struct NeighbourSettings: Sendable {
    /// Seconds for which each situation is measured.
    public var seconds = 8
    /// Seconds until what has not come by then counts as never coming.
    public var patience = 60
    public var connections = 5_000
    public var timers = 10_000
    /// Members of the large group.
    public var groupSize = 1_000
    /// Who watch that group, over MQTT and with browsers; fewer than its members.
    public var visitors = 500
    /// Numbers, or parts of the names, of the nuisances to measure; empty: all of them.
    public var only: [String] = []
    public var tools: BenchTools

    public init(_ tools: BenchTools) { self.tools = tools }

    /// - Parameter number: from 1, as the report counts.
    func includes(_ name: String, _ number: Int) -> Bool {
        only.isEmpty || only.contains { Int($0).map { $0 == number } ?? name.contains($0) }
    }
}
