internal import Contract
internal import JSON
internal import Numbers
internal import Tracking

/// GeoJSON (RFC 7946): the positions of every LineString and MultiLineString, at any level. Times
/// come from the feature's `coordTimes` or `times`, as GPX converters write them. Points count if
/// they have a `timestamp`, as Kith exports fixes.
struct GeoJSON {
    private(set) var readings: [Reading] = []

    init(_ bytes: [UInt8]) throws(TrackError) {
        try read(try JSONValue(track: bytes), times: nil)
    }

    /// Recursive; the JSON parser limits the depth.
    private mutating func read(_ value: JSONValue, times: JSONValue?) throws(TrackError) {
        switch value["type"] {
        case .string("FeatureCollection"):
            for feature in try elements(value["features"]) { try read(feature, times: nil) }
        case .string("Feature"):
            guard let geometry = value["geometry"], geometry != .null else { return }
            if geometry["type"] == .string("Point"), let fix = value["properties"],
                fix["timestamp"] != nil
            {
                return readings.append(try Reading(fix: fix))
            }
            try read(geometry, times: GeoJSON.times(in: value["properties"]))
        case .string("GeometryCollection"):
            for geometry in try elements(value["geometries"]) { try read(geometry, times: nil) }
        case .string("LineString"):
            try readLine(value["coordinates"], times: times)
        case .string("MultiLineString"):
            let lines = try elements(value["coordinates"])
            let times = try times.map { times throws(TrackError) in try elements(times) }
            guard times == nil || times?.count == lines.count else { throw GeoJSON.unevenTimes }
            for (index, line) in lines.enumerated() { try readLine(line, times: times?[index]) }
        case .string("Point"), .string("MultiPoint"), .string("Polygon"), .string("MultiPolygon"):
            return
        default:
            throw TrackError(.malformed("an object has no GeoJSON type"))
        }
    }

    private static func times(in properties: JSONValue?) -> JSONValue? {
        let properties = [properties?["coordinateProperties"], properties].compactMap(\.self)
        let named = properties.flatMap { [$0["times"], $0["coordTimes"]] }.compactMap(\.self)
        return named.first { if case .array = $0 { true } else { false } }
    }

    private mutating func readLine(_ line: JSONValue?, times: JSONValue?) throws(TrackError) {
        let positions = try elements(line)
        let times = try times.map { times throws(TrackError) in try elements(times) }
        guard times == nil || times?.count == positions.count else { throw GeoJSON.unevenTimes }
        for (index, position) in positions.enumerated() {
            let numbers = try elements(position)
            guard numbers.count >= 2, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1],
                let place = Coordinate(latitude: latitude, longitude: longitude)
            else { throw TrackError(.malformed("a position cannot be read")) }
            var altitude: Double?
            if numbers.count > 2, case .number(let value) = numbers[2] { altitude = value }
            let time = try GeoJSON.time(times?[index] ?? .null)
            readings.append(Reading(place, at: time, altitude: altitude))
        }
    }

    private static func time(_ value: JSONValue) throws(TrackError) -> Timestamp? {
        switch value {
        case .null: return nil
        case .string(let text): return try Timestamp(reading: text)
        case .number(let number) where abs(number) < 253_402_300_800_000:  // The year 10000.
            return Timestamp(milliseconds: Int64(clamping: number))
        default: throw TrackError(.malformed("a time cannot be read"))
        }
    }

    private func elements(_ value: JSONValue?) throws(TrackError) -> [JSONValue] {
        guard case .array(let elements) = value else {
            throw TrackError(.malformed("an array is missing"))
        }
        return elements
    }

    private static let unevenTimes = TrackError(
        .malformed("the numbers of positions and times differ"))
}

extension JSONValue {
    /// The content of a whole file.
    init(track bytes: [UInt8]) throws(TrackError) {
        do {
            self = try JSONValue.parse(bytes)
        } catch {
            let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
            throw TrackError(.malformed("not JSON: \(error.reason)"), line: line)
        }
    }
}
