public import Tracking

/// A path, or a page of it, as a document that maps understand.
public struct PathDocument: Sendable {
    public let user: Name
    public let name: String
    /// Nil where there is no path to show.
    public let mode: Path.Mode?
    public let startedAt: Timestamp?
    public let points: [Path.Point]

    public init(
        user: Name, name: String, mode: Path.Mode?, startedAt: Timestamp?, points: [Path.Point]
    ) {
        self.user = user
        self.name = name
        self.mode = mode
        self.startedAt = startedAt
        self.points = points
    }

    /// A Feature (RFC 7946) with a LineString; a Point where there is only one, nothing where
    /// there is none. `times` has the epoch milliseconds of the positions.
    public var geoJSON: [UInt8] {
        JSONWriter.object { json in
            json.key("type")
            json.string("Feature")
            json.key("geometry")
            geometry(&json)
            json.key("properties")
            json.object { json in
                json.key("user")
                json.string(user.text)
                json.key("name")
                json.string(name)
                if let mode, let startedAt {
                    json.key("mode")
                    json.string(mode.rawValue)
                    json.key("startedAt")
                    json.time(startedAt)
                }
                json.key("times")
                json.array(points) { $0.number($1.takenAt.milliseconds) }
            }
        }
    }

    private func geometry(_ json: inout JSONWriter) {
        guard let first = points.first else { return json.null() }
        json.object { json in
            json.key("type")
            json.string(points.count == 1 ? "Point" : "LineString")
            json.key("coordinates")
            if points.count == 1 {
                json.position(first.coordinate)
            } else {
                json.array(points) { $0.position($1.coordinate) }
            }
        }
    }

    /// A GPX 1.1 document with one track.
    public var gpx: String {
        var writer = GPXWriter()
        writer.begin()
        writer.track(self)
        writer.end()
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }
}

extension JSONWriter {
    /// Longitude first (RFC 7946, 3.1.1).
    ///
    /// - Parameter altitude: metres above the ellipsoid.
    public mutating func position(_ coordinate: Coordinate, altitude: Double? = nil) {
        array { json in
            json.degrees(e7: coordinate.longitudeE7)
            json.degrees(e7: coordinate.latitudeE7)
            if let altitude { json.number(altitude) }
        }
    }
}
