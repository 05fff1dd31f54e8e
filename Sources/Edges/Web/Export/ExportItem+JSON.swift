internal import Contract
internal import JSON
internal import Tracking

extension ExportItem.Path {
    /// Reads an item of type `path`; nil if it is not valid.
    init?(_ item: JSONValue) {
        guard let number = item["number"]?.integer,
            let mode = item.text("mode").flatMap({ Path.Mode(rawValue: $0) }),
            let startedAt = item.time("startedAt")
        else { return nil }
        var points: [Path.Point] = []
        for point in item["points"]?.elements ?? [] {
            let numbers = point.elements
            guard numbers.count == 3, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1], let time = numbers[2].integer,
                let place = Coordinate(latitude: latitude, longitude: longitude)
            else { return nil }
            points.append(
                Path.Point(coordinate: place, takenAt: Timestamp(milliseconds: time)))
        }
        self.init(
            number: number, mode: mode, startedAt: startedAt, endedAt: item.time("endedAt"),
            points: points)
    }
}

extension Fix {
    /// Reads the Fix of an item of type `fix`; nil if it is not valid.
    init?(exported json: JSONValue) {
        guard let latitude = json.number("latitude"), let longitude = json.number("longitude"),
            let place = Coordinate(latitude: latitude, longitude: longitude),
            let takenAt = json.time("timestamp"), let receivedAt = json.time("receivedAt")
        else { return nil }
        self.init(
            coordinate: place, takenAt: takenAt, receivedAt: receivedAt,
            accuracy: json.number("accuracy"), altitude: json.number("altitude"),
            altitudeAccuracy: json.number("altitudeAccuracy"), heading: json.number("heading"),
            speed: json.number("speed"), battery: json.number("battery"),
            sequence: json["seq"]?.integer)
    }
}

extension JSONValue {
    fileprivate func time(_ key: String) -> Timestamp? {
        text(key).flatMap { Timestamp(rfc3339: $0) }
    }

    /// The JSON text of this value.
    var json: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }
}
