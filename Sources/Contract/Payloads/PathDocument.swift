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
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="Kith" xmlns="http://www.topografix.com/GPX/1/1">"#,
            "<trk><name>\(name.escapedForXML)</name><trkseg>",
        ]
        for point in points {
            let (latitude, longitude) = (point.coordinate.latitudeE7, point.coordinate.longitudeE7)
            lines.append(
                #"<trkpt lat="\#(degrees(latitude))" lon="\#(degrees(longitude))">"#
                    + "<time>\(point.takenAt.rfc3339)</time></trkpt>")
        }
        lines.append("</trkseg></trk>")
        lines.append("</gpx>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func degrees(_ e7: Int32) -> String {
        var json = JSONWriter(capacity: 16)
        json.degrees(e7: e7)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Longitude first (RFC 7946, 3.1.1).
    mutating func position(_ coordinate: Coordinate) {
        array { json in
            json.degrees(e7: coordinate.longitudeE7)
            json.degrees(e7: coordinate.latitudeE7)
        }
    }
}

extension String {
    fileprivate var escapedForXML: String {
        // By scalars: a `&` with an accent is one character, but still an `&` for XML.
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
