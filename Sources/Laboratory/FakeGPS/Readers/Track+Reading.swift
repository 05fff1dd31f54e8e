internal import Archive
internal import XML

extension Track {
    /// The largest size of a file, in bytes.
    public static let maximumSize = 32 << 20

    /// Reads a recorded track in any of the formats GPX 1.0 or 1.1, TCX, FIT, GeoJSON, NMEA 0183
    /// and Kith's own, also packed by gzip or in a ZIP file.
    ///
    /// - Parameters:
    ///   - bytes: a whole file. In a ZIP file the first track counts; in Kith's own export, the
    ///     fixes.
    ///   - pace: the speed in metres per second, at least 0.01, for files without times.
    public init(reading bytes: [UInt8], pace: Double = Track.usualPace) throws(TrackError) {
        guard bytes.count <= Track.maximumSize else { throw TrackError(.tooLarge) }
        let isPacked = ArchiveReader.isArchive(bytes)
        try self.init(plain: isPacked ? Track.unpacked(bytes) : bytes, pace: pace)
    }

    private init(plain bytes: [UInt8], pace: Double) throws(TrackError) {
        let readings: [Reading]
        switch TrackFormat(of: bytes) {
        case .fit: readings = try FIT(bytes).readings
        case .fixes: readings = try FixList(bytes).readings
        case .gpx: readings = try Track.read(bytes, GPX()).readings
        case .tcx: readings = try Track.read(bytes, TCX()).readings
        case .geoJSON: readings = try GeoJSON(bytes).readings
        case .nmea: readings = try NMEA(bytes).readings
        case nil: throw TrackError(.unknownFormat)
        }
        try self.init(readings, pace: pace)
    }

    /// Returns whether a file in an archive may be a track, by its name; `data` is the content of a
    /// gzip file.
    private static func isTrack(_ name: String) -> Bool {
        name == "data" || name == exported
            || [".gpx", ".tcx", ".fit", ".nmea", ".geojson"].contains {
                name.lowercased().hasSuffix($0)
            }
    }

    private static func unpacked(_ bytes: [UInt8]) throws(TrackError) -> [UInt8] {
        let files: [(name: String, bytes: [UInt8])]
        do throws(ArchiveError) {
            files = try ArchiveReader.files(in: bytes, atMost: maximumSize, where: isTrack)
        } catch {
            throw TrackError(.malformed("it cannot be unpacked: \(error.reason)"))
        }
        guard let file = files.first(where: { $0.name == exported }) ?? files.first else {
            throw TrackError(.noTrack)
        }
        return file.bytes
    }

    /// The file of fixes in Kith's export of an account.
    private static let exported = "fixes.json"

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
    case fit
    case geoJSON
    /// Fixes as Kith exports them.
    case fixes
    case nmea

    /// How many bytes to examine: an XML document's root may be preceded by comments and
    /// declarations.
    private static let headLength = 4096

    init?(of bytes: [UInt8]) {
        guard !FIT.recognizes(bytes) else {
            self = .fit
            return
        }
        let head = String(decoding: bytes.prefix(TrackFormat.headLength), as: UTF8.self)
        let first = head.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        switch first {
        case "<" where head.contains("<gpx"): self = .gpx
        case "<" where head.contains("<TrainingCenterDatabase"): self = .tcx
        case "{": self = .geoJSON
        case "[": self = .fixes
        default:
            // A log may begin in the middle of a sentence.
            let lines = head.split(whereSeparator: \.isNewline)
            guard lines.contains(where: { $0.first == "$" }) else { return nil }
            self = .nmea
        }
    }
}
