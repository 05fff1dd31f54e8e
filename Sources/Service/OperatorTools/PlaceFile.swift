public import Contract
internal import Foundation
internal import JSON

/// A GeoJSON FeatureCollection (RFC 7946) with places of the organisation.
public struct PlaceFile: Sendable {
    public private(set) var places: [Place] = []
    /// A sentence on each place that was left out or refused, with the reason.
    public private(set) var remarks: [String] = []
    public private(set) var refused = 0

    public struct Unreadable: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameter source: the name of the import.
    public init(_ bytes: [UInt8], source: Place.Source, timeZone: String) throws(Unreadable) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            throw Unreadable(
                description: "The file is not JSON: \(error.reason), at byte \(error.offset).")
        }
        guard value["type"] == .string("FeatureCollection"),
            case .array(let features)? = value["features"]
        else { throw Unreadable(description: "The file is not a GeoJSON FeatureCollection.") }
        var known: [Name: Int] = [:]
        for (index, feature) in features.enumerated() {
            do throws(PlaceFeature.Refusal) {
                let read = try PlaceFeature(feature, source: source, timeZone: timeZone) {
                    TimeZone(identifier: $0) != nil
                }
                if let other = known.updateValue(index + 1, forKey: read.place.id) {
                    throw PlaceFeature.Refusal(reason: "is the same as feature \(other)")
                }
                places.append(read.place)
                remarks += read.omissions.map { "Feature \(index + 1): its \($0); omitted." }
            } catch {
                refused += 1
                remarks.append("Feature \(index + 1) \(error.reason); not imported.")
            }
        }
    }

    /// The places, in parts for one message to the bridge each.
    public var parts: [[Place]] {
        stride(from: 0, to: places.count, by: PlaceFile.partSize).map {
            Array(places[$0..<min($0 + PlaceFile.partSize, places.count)])
        }
    }

    private static let partSize = 100
}
