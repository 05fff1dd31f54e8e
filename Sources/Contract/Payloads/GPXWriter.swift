public import Tracking

/// Writes a GPX 1.1 document piece by piece, so that it need never be in memory as a whole.
public struct GPXWriter: Sendable {
    private var bytes: [UInt8] = []

    public init() {}

    /// What was written since the last call.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    public mutating func begin() {
        put(#"<?xml version="1.0" encoding="UTF-8"?>"#, "\n")
        put(#"<gpx version="1.1" creator="Kith" xmlns="http://www.topografix.com/GPX/1/1">"#, "\n")
    }

    public mutating func end() { put("</gpx>\n") }

    public mutating func beginTrack(_ name: String) {
        put("<trk><name>", name.escapedForXML, "</name><trkseg>\n")
    }

    public mutating func endTrack() { put("</trkseg></trk>\n") }

    public mutating func track(_ path: PathDocument) {
        beginTrack(path.name)
        for point in path.points { self.point(point.coordinate, point.takenAt) }
        endTrack()
    }

    /// - Parameter altitude: metres.
    public mutating func point(
        _ coordinate: Coordinate, _ takenAt: Timestamp, altitude: Double? = nil
    ) {
        put("<trkpt lat=\"")
        degrees(coordinate.latitudeE7)
        put("\" lon=\"")
        degrees(coordinate.longitudeE7)
        put("\">")
        if let altitude { put("<ele>", altitude.description, "</ele>") }
        put("<time>")
        takenAt.appendRFC3339(to: &bytes)
        put("</time></trkpt>\n")
    }

    private mutating func degrees(_ e7: Int32) {
        var json = JSONWriter(capacity: 16)
        json.degrees(e7: e7)
        bytes.append(contentsOf: json.bytes)
    }

    private mutating func put(_ texts: String...) {
        for text in texts { bytes.append(contentsOf: text.utf8) }
    }
}

extension String {
    public var escapedForXML: String {
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
