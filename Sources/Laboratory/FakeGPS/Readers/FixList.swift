internal import Contract
internal import JSON
internal import Tracking

/// Fixes as Kith exports them (`fixes.json`): a list of devices with their fixes, or a list of
/// fixes.
struct FixList {
    private(set) var readings: [Reading] = []

    init(_ bytes: [UInt8]) throws(TrackError) {
        for element in try JSONValue(track: bytes).elements {
            guard let fixes = element["fixes"] else {
                readings.append(try Reading(fix: element))
                continue
            }
            for fix in fixes.elements { readings.append(try Reading(fix: fix)) }
        }
    }
}

extension Reading {
    /// A fix as JSON, with `latitude`, `longitude` and `timestamp`.
    init(fix: JSONValue) throws(TrackError) {
        guard let latitude = Reading.number(fix["latitude"]),
            let longitude = Reading.number(fix["longitude"]),
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { throw TrackError(.malformed("a fix has no position")) }
        self.init(
            place, at: try Timestamp(reading: fix["timestamp"]?.text),
            altitude: Reading.number(fix["altitude"]), speed: Reading.number(fix["speed"]),
            heading: Reading.number(fix["heading"]))
        accuracy = Reading.number(fix["accuracy"]).flatMap { 0...Reading.roughest ~= $0 ? $0 : nil }
    }

    private static func number(_ value: JSONValue?) -> Double? {
        if case .number(let number)? = value, number.isFinite { number } else { nil }
    }

    /// In metres; a rougher accuracy counts as unknown.
    static let roughest = 100_000.0
}
