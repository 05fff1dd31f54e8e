import MQTT

/// The bridge's load, counted rather than timed, so that a run can be repeated: a unit is about ten
/// microseconds on a machine of 2020 (`docs/decisions/0014-cost-budgets.md`).
enum Cost {
    /// The cost of reading a message and finding its sender.
    static func of(_ message: Message) -> Double {
        1 + Double(message.payload.count) / bytesPerUnit
    }

    /// The cost of writing a message and having the broker handle it, and keep it if it is
    /// retained.
    static func of(_ publication: Publication) -> Double {
        2 + Double(publication.payload.count) / bytesPerUnit
    }

    /// - Parameter steps: database steps, as counted by ``Driver/work``.
    static func ofWork(_ steps: Int64) -> Double { Double(steps) / 500 }

    /// The cost of scanning list entries in memory and comparing their bytes.
    static func ofLooking(at entries: Int, bytes: Int) -> Double {
        Double(entries) / entriesPerUnit + Double(bytes) / comparedPerUnit
    }

    private static let entriesPerUnit = 20.0
    private static let comparedPerUnit = 8192.0

    private static let bytesPerUnit = 512.0
}
