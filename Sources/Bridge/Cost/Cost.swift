import MQTT
import Store

/// What the bridge is kept busy with, counted and not timed, so that a run can be repeated: a unit
/// is about ten microseconds of a machine of 2020 (`docs/decisions/0014-how-cost-is-counted.md`).
enum Cost {
    /// To read a message, and to find whose it is.
    static func of(_ message: Message) -> Double {
        1 + Double(message.payload.count) / bytesPerUnit
    }

    /// To write a message and to have the broker take it, and keep it where it is retained.
    static func of(_ publication: Publication) -> Double {
        2 + Double(publication.payload.count) / bytesPerUnit
    }

    /// - Parameter steps: of the database, as ``Driver/work`` counts them.
    static func ofWork(_ steps: Int64) -> Double { Double(steps) / 500 }

    private static let bytesPerUnit = 512.0
}
