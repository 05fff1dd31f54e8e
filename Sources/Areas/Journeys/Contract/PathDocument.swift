public import JSON
public import Tracking

/// A path, or a page of it, as a document in a map format.
public struct PathDocument: Sendable {
    public let user: Name
    public let name: String
    /// Nil if there is no path.
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

    /// A Feature (RFC 7946) with a LineString; a MultiLineString if the path crosses ±180°, a Point
    /// if it has only one, no geometry if it has none. `times` has the epoch milliseconds of the
    /// positions, one list per line.
    public var geoJSON: [UInt8] {
        let lines = lines
        return JSONWriter.object { json in
            json.key("type")
            json.string("Feature")
            json.key("geometry")
            write(lines, to: &json)
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
                guard lines.count > 1 else { return json.times(of: lines.first ?? []) }
                json.array(lines) { $0.times(of: $1) }
            }
        }
    }

    /// Lines, none of which crosses ±180°.
    private var lines: [[Path.Point]] {
        var cutter = PathCutter()
        var lines: [[Path.Point]] = [[]]
        for step in points.flatMap({ cutter.add($0) }) + cutter.end() {
            switch step {
            case .point(let point): lines[lines.count - 1].append(point)
            case .cut: lines.append([])
            }
        }
        return lines
    }

    private func write(_ lines: [[Path.Point]], to json: inout JSONWriter) {
        guard let first = lines.first, let only = first.first else { return json.null() }
        json.object { json in
            json.key("type")
            if lines.count > 1 {
                json.string("MultiLineString")
                json.key("coordinates")
                json.array(lines) { $0.positions(of: $1) }
            } else if first.count > 1 {
                json.string("LineString")
                json.key("coordinates")
                json.positions(of: first)
            } else {
                json.string("Point")
                json.key("coordinates")
                json.position(only.coordinate)
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
    fileprivate mutating func positions(of line: [Path.Point]) {
        array(line) { $0.position($1.coordinate) }
    }

    fileprivate mutating func times(of line: [Path.Point]) {
        array(line) { $0.number($1.takenAt.milliseconds) }
    }

    /// Writes a position, longitude first (RFC 7946, 3.1.1).
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
