public import Tracking

/// A point's position in its path.
public struct PointKey: Hashable, Sendable {
    public var takenAt: Timestamp
    /// Distinguishes points of the same time, and orders them.
    public var number: Int64

    public init(takenAt: Timestamp, number: Int64) {
        self.takenAt = takenAt
        self.number = number
    }
}

/// The position where the next page of `path.get` begins. Opaque to clients.
public struct PathCursor: Hashable, Sendable {
    /// The previous page's path.
    public let path: Int64
    /// The position of the last returned point.
    public let place: PointKey

    public init(path: Int64, after place: PointKey) {
        self.path = path
        self.place = place
    }

    /// Nil for anything but the result of ``text``.
    public init?(_ text: String) {
        guard text.utf8.count <= PathCursor.maximumLength else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        path = numbers[0]
        place = PointKey(takenAt: Timestamp(milliseconds: numbers[1]), number: numbers[2])
        guard self.text == text else { return nil }
    }

    public var text: String { "\(path).\(place.takenAt.milliseconds).\(place.number)" }

    private static let maximumLength = 64
}
