internal import JSON
public import Tracking

extension ExportItem {
    public static func path(_ path: Path) -> ExportItem {
        ExportItem("path") { path.write(to: &$0) }
    }

    /// A path, or a page of it.
    public struct Path: Sendable {
        /// Identifies the path among the person's.
        public var number: Int64
        public var mode: Tracking.Path.Mode
        public var startedAt: Timestamp
        public var endedAt: Timestamp?
        public var points: [Tracking.Path.Point]

        public init(
            number: Int64, mode: Tracking.Path.Mode, startedAt: Timestamp, endedAt: Timestamp?,
            points: [Tracking.Path.Point]
        ) {
            self.number = number
            self.mode = mode
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.points = points
        }
    }
}

extension ExportItem.Path {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("number")
        json.number(number)
        json.member("mode", mode.rawValue)
        json.member("startedAt", startedAt)
        if let endedAt { json.member("endedAt", endedAt) }
        json.key("points")
        json.points(points)
    }
}

extension JSONWriter {
    /// Writes `[[longitude,latitude,epochMs],…]`.
    mutating func points(_ points: [Path.Point]) {
        array(points) { json, point in
            json.array { json in
                json.degrees(e7: point.coordinate.longitudeE7)
                json.degrees(e7: point.coordinate.latitudeE7)
                json.number(point.takenAt.milliseconds)
            }
        }
    }
}
