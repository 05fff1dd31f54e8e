/// Why a file is not a track. The file's contents are not repeated.
public struct TrackError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// More bytes than ``Track/maximumSize``.
        case tooLarge
        /// More samples than ``Track/maximumCount``.
        case tooLong
        case unknownFormat
        /// It contains no position.
        case noTrack
        /// The reason, as the end of a sentence.
        case malformed(String)
    }

    public var reason: Reason
    /// Counted from 1.
    public var line: Int?

    init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    public var description: String {
        let text =
            switch reason {
            case .tooLarge: "it has more than \(Track.maximumSize / 1_048_576) MiB"
            case .tooLong: "it has more than \(Track.maximumCount) positions"
            case .unknownFormat:
                "it is neither GPX, TCX, FIT, GeoJSON, NMEA 0183 nor an export of Kith"
            case .noTrack: "there is no track in it"
            case .malformed(let what): what
            }
        guard let line else { return text }
        return "line \(line): \(text)"
    }
}
