internal import Contract
internal import Tracking

/// One position in a file.
struct Reading: Hashable {
    var time: Timestamp?
    var coordinate: Coordinate
    var altitude: Double?
    var accuracy: Double?
    var speed: Double?
    var heading: Double?

    /// Metres of 95 % accuracy per unit of horizontal dilution of precision: the usual rule of
    /// thumb for consumer receivers.
    private static let metersPerDilution = 5.0

    /// Impossible values, with which recorders mean "unknown", are left out.
    init(
        _ coordinate: Coordinate, at time: Timestamp? = nil, altitude: Double? = nil,
        dilution: Double? = nil, speed: Double? = nil, heading: Double? = nil
    ) {
        self.time = time
        self.coordinate = coordinate
        self.altitude = altitude.flatMap(Measurable.altitude.reading)
        self.accuracy = dilution.flatMap {
            0.01...99 ~= $0 ? $0 * Reading.metersPerDilution : nil
        }
        self.speed = speed.flatMap(Measurable.speed.reading)
        self.heading = heading.flatMap(Measurable.heading.reading).map { $0 == 360 ? 0 : $0 }
    }
}

/// A position of an XML document while its elements are being read, as text.
struct Draft {
    var latitude: String?
    var longitude: String?
    var time: String?
    var altitude: String?
    var dilution: String?
    var speed: String?
    var heading: String?

    func reading() throws(TrackError) -> Reading {
        guard let latitude = try latitude.number, let longitude = try longitude.number else {
            throw TrackError(.malformed("a latitude or longitude is missing"))
        }
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            throw TrackError(.malformed("a latitude or longitude is out of range"))
        }
        return Reading(
            place, at: try Timestamp(reading: time), altitude: try altitude.number,
            dilution: try dilution.number, speed: try speed.number, heading: try heading.number)
    }
}

extension Timestamp {
    /// Reads RFC 3339; a time without an offset is UTC, as in GPX. Nil if the text is blank.
    init?(reading text: String?) throws(TrackError) {
        guard let word = text?.trimmed, !word.isEmpty else { return nil }
        guard let time = Timestamp(rfc3339: word) ?? Timestamp(rfc3339: word + "Z") else {
            throw TrackError(.malformed("a time cannot be read"))
        }
        self = time
    }
}

extension String? {
    /// Nil if the text is blank.
    fileprivate var number: Double? {
        get throws(TrackError) {
            guard let word = self?.trimmed, !word.isEmpty else { return nil }
            guard let value = Double(word), value.isFinite else {
                throw TrackError(.malformed("a number cannot be read"))
            }
            return value
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
