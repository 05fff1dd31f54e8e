internal import JSON
public import Tracking

/// A path segment as published (contract, section 5).
public struct PathSegment: Sendable {
    public let segment: Int
    public let mode: Path.Mode
    public let points: [Path.Point]

    public init(segment: Int, mode: Path.Mode, points: [Path.Point]) {
        self.segment = segment
        self.mode = mode
        self.points = points
    }

    public var payload: [UInt8] {
        var json = JSONWriter(capacity: 64 + points.count * 40)
        json.object { json in
            json.key("segment")
            json.number(segment)
            json.key("mode")
            json.string(mode.rawValue)
            json.key("points")
            json.points(points)
        }
        return json.bytes
    }
}
