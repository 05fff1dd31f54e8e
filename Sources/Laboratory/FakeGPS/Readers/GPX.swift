internal import XML

/// GPX 1.1 and 1.0 (topografix.com/GPX): the points of its tracks or, if it has none, of its
/// routes. Waypoints are ignored.
struct GPX: XMLFormat {
    private var trackPoints: [Reading] = []
    private var routePoints: [Reading] = []
    private var point: Draft?

    var readings: [Reading] { trackPoints.isEmpty ? routePoints : trackPoints }

    mutating func start(_ name: Substring, _ attributes: [String: String]) throws(TrackError) {
        guard name == "trkpt" || name == "rtept" else { return }
        point = Draft(latitude: attributes["lat"], longitude: attributes["lon"])
    }

    mutating func end(_ name: Substring, _ text: String) throws(TrackError) {
        guard let point else { return }
        switch name {
        case "trkpt":
            trackPoints.append(try point.reading())
            self.point = nil
        case "rtept":
            routePoints.append(try point.reading())
            self.point = nil
        case "time": self.point?.time = text
        case "ele": self.point?.altitude = text
        case "hdop": self.point?.dilution = text
        // In GPX 1.0 next to the time, in 1.1 in Garmin's extensions; metres per second in both.
        case "speed": self.point?.speed = text
        case "course": self.point?.heading = text
        default: break
        }
    }
}
