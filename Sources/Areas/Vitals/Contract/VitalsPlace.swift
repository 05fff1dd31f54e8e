public import Tracking

/// A sample's position in the order of time.
public struct VitalsPlace: Hashable, Sendable, LosslessStringConvertible {
    public let takenAt: Timestamp
    /// The number of its row.
    public let id: Int64

    public init(takenAt: Timestamp, id: Int64) { (self.takenAt, self.id) = (takenAt, id) }

    /// Parses ``description``.
    public init?(_ text: String) {
        guard text.utf8.count <= VitalsPlace.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = Int64(parts[1]),
            id > 0, Timestamp.printable.contains(milliseconds)
        else { return nil }
        self.init(takenAt: Timestamp(milliseconds: milliseconds), id: id)
        guard description == text else { return nil }
    }

    public var description: String { "\(takenAt.milliseconds).\(id)" }

    /// Bytes: more than two numbers need.
    private static let maximumLength = 64
}
