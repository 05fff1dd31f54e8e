import MQTT
import Store

/// The bridge's load, counted rather than timed, so that a run can be repeated: a unit is about ten
/// microseconds on a machine of 2020 (`docs/decisions/0014-how-cost-is-counted.md`).
enum Cost {
    /// The cost of reading a message and finding out whose it is.
    static func of(_ message: Message) -> Double {
        1 + Double(message.payload.count) / bytesPerUnit
    }

    /// The cost of writing a message, having the broker take it, and having it keep it if it is
    /// retained.
    static func of(_ publication: Publication) -> Double {
        2 + Double(publication.payload.count) / bytesPerUnit
    }

    /// - Parameter steps: of the database, as ``Driver/work`` counts them.
    static func ofWork(_ steps: Int64) -> Double { Double(steps) / 500 }

    /// The cost of looking at entries of a list in memory, and of comparing bytes of them.
    static func ofLooking(at entries: Int, bytes: Int) -> Double {
        Double(entries) / entriesPerUnit + Double(bytes) / comparedPerUnit
    }

    private static let entriesPerUnit = 20.0
    private static let comparedPerUnit = 8192.0

    private static let bytesPerUnit = 512.0
}
