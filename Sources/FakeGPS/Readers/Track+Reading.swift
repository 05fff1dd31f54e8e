internal import XML

extension Track {
    /// The largest size of a file, in bytes.
    public static let maximumSize = 32 << 20

    /// Reads a recorded track in any of the formats GPX 1.0 or 1.1, TCX, GeoJSON and NMEA 0183.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - pace: the speed in metres per second, at least 0.01, for files without times.
    public init(reading bytes: [UInt8], pace: Double = Track.usualPace) throws(TrackError) {
        guard bytes.count <= Track.maximumSize else { throw TrackError(.tooLarge) }
        let readings: [Reading]
        switch TrackFormat(of: bytes) {
        case .gpx: readings = try Track.read(bytes, GPX()).readings
        case .tcx: readings = try Track.read(bytes, TCX()).readings
        case .geoJSON: readings = try GeoJSON(bytes).readings
        case .nmea: readings = try NMEA(bytes).readings
        case nil: throw TrackError(.unknownFormat)
        }
        try self.init(readings, pace: pace)
    }

    private static func read<Format: XMLFormat>(_ bytes: [UInt8], _ format: Format)
        throws(TrackError) -> Format where Format.Failure == TrackError
    {
        do throws(XMLError<TrackError>) {
            return try XMLReader.read(bytes, format)
        } catch {
            switch error {
            case .malformed(let reason, let line): throw TrackError(.malformed(reason), line: line)
            case .refused(let reason, let line): throw TrackError(reason.reason, line: line)
            }
        }
    }
}

/// The format of a file, recognised by its beginning.
enum TrackFormat {
    case gpx
    case tcx
    case geoJSON
    case nmea

    /// How many bytes to examine: an XML document's root may be preceded by comments and
    /// declarations.
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
