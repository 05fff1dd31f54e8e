internal import XML

/// Training Center XML, version 2 (garmin.com/xmlschemas): the track points that have a position;
/// the others contain only a heart rate or a distance.
struct TCX: XMLFormat {
    private(set) var readings: [Reading] = []
    private var point: Draft?

    mutating func start(_ name: Substring, _ attributes: [String: String]) throws(TrackError) {
        if name == "Trackpoint" { point = Draft() }
    }

    mutating func end(_ name: Substring, _ text: String) throws(TrackError) {
        guard let point else { return }
        switch name {
        case "Trackpoint":
            if point.latitude != nil || point.longitude != nil {
                readings.append(try point.reading())
            }
            self.point = nil
        case "LatitudeDegrees": self.point?.latitude = text
        case "LongitudeDegrees": self.point?.longitude = text
        case "Time": self.point?.time = text
        case "AltitudeMeters": self.point?.altitude = text
        case "Speed": self.point?.speed = text
        default: break
        }
    }
}
