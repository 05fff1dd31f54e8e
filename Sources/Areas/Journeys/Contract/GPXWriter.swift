internal import JSON
public import Tracking

/// Writes a GPX 1.1 document piece by piece, so that it is never in memory as a whole.
///
/// A track has a separate segment for each period without a gap, and for each side of ±180°:
/// programs draw lines within segments.
public struct GPXWriter: Sendable {
    private var bytes: [UInt8] = []
    /// This track's last point.
    private var last: (place: Coordinate, takenAt: Timestamp)?

    /// The longest pause within a segment: beyond it the way between two positions is unknown. It
    /// is also the time after which even the device that reports least often counts as gone.
    public static let longestPause = Rules().rhythmLimit

    public init() {}

    /// Returns the bytes written since the last call.
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
        put("<trk><name>", name.escapedForXML, "</name>")
        last = nil
    }

    public mutating func endTrack() {
        put(last == nil ? "</trk>\n" : "</trkseg></trk>\n")
        last = nil
    }

    public mutating func track(_ path: PathDocument) {
        beginTrack(path.name)
        for point in path.points { self.point(point.coordinate, point.takenAt) }
        endTrack()
    }

    /// - Parameter altitude: metres.
    public mutating func point(
        _ coordinate: Coordinate, _ takenAt: Timestamp, altitude: Double? = nil
    ) {
        beginSegmentIfNeeded(coordinate, takenAt)
        put("<trkpt lat=\"")
        degrees(coordinate.latitudeE7)
        put("\" lon=\"")
        // GPX does not allow a longitude of 180, and −180 would be on the other side: this is 1 cm
        // away.
        degrees(min(coordinate.longitudeE7, GPXWriter.largestLongitude))
        put("\">")
        if let altitude { put("<ele>", altitude.decimals, "</ele>") }
        put("<time>")
        takenAt.appendRFC3339(to: &bytes)
        put("</time></trkpt>\n")
    }

    private mutating func beginSegmentIfNeeded(_ place: Coordinate, _ takenAt: Timestamp) {
        defer { last = (place, takenAt) }
        guard let last else { return put("<trkseg>\n") }
        let pause = takenAt - last.takenAt
        let isOne =
            pause >= .zero && pause <= GPXWriter.longestPause
            && !last.place.isBeyond180(from: place)
        if !isOne { put("</trkseg><trkseg>\n") }
    }

    private static let largestLongitude: Int32 = 1_799_999_999

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
        // By scalars: a `&` with an accent is one character, but still an `&` in XML.
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case let scalar where !scalar.isInXML: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether XML 1.0 can represent it at all.
    fileprivate var isInXML: Bool {
        switch value {
        case 0x9, 0xA, 0xD: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}

extension Double {
    /// Written without an exponent, which `xsd:decimal` does not have; anything below a tenth of a
    /// millimetre becomes 0.
    fileprivate var decimals: String { magnitude < 0.0001 ? "0" : description }
}
