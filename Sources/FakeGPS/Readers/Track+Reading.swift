extension Track {
    /// The bytes of one file.
    public static let maximumSize = 32 << 20

    /// Reads a recorded track: GPX 1.0 or 1.1, TCX, GeoJSON or NMEA 0183, whichever it is.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - pace: metres per second, at least 0.01, for what has no times.
    public init(reading bytes: [UInt8], pace: Double = Track.usualPace) throws(TrackError) {
        guard bytes.count <= Track.maximumSize else { throw TrackError(.tooLarge) }
        let readings: [Reading]
        switch TrackFormat(of: bytes) {
        case .gpx: readings = try XMLWalker.walk(bytes, GPX()).readings
        case .tcx: readings = try XMLWalker.walk(bytes, TCX()).readings
        case .geoJSON: readings = try GeoJSON(bytes).readings
        case .nmea: readings = try NMEA(bytes).readings
        case nil: throw TrackError(.unknownFormat)
        }
        try self.init(readings, pace: pace)
    }
}

/// What a file is, told by how it begins.
enum TrackFormat {
    case gpx
    case tcx
    case geoJSON
    case nmea

    /// Bytes to look at: comments and declarations may stand before an XML document's root.
    private static let headLength = 4096

    init?(of bytes: [UInt8]) {
        let head = String(decoding: bytes.prefix(TrackFormat.headLength), as: UTF8.self)
        let first = head.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        switch first {
        case "<" where head.contains("<gpx"): self = .gpx
        case "<" where head.contains("<TrainingCenterDatabase"): self = .tcx
        case "{": self = .geoJSON
        default:
            // A log may begin in the middle of a sentence.
            let lines = head.split(whereSeparator: \.isNewline)
            guard lines.contains(where: { $0.first == "$" }) else { return nil }
            self = .nmea
        }
    }
}
