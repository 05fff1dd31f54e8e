internal import Crypto
internal import Foundation
public import JSON
internal import Tracking

/// A Feature of GeoJSON (RFC 7946) with the tags of OpenStreetMap, as exports of it have them: in
/// `properties`, or in `properties.tags`.
public struct PlaceFeature: Sendable {
    public let place: Place
    /// The omitted tags, phrased to follow "Its …".
    public let omissions: [String]

    public struct Refusal: Error, Hashable, Sendable {
        /// The end of a sentence that begins with the feature: "has no name".
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    /// - Parameters:
    ///   - source: the name of the import.
    ///   - timeZone: for places without one of their own.
    ///   - isZone: whether there is a time zone of that name.
    public init(
        _ feature: JSONValue, source: Place.Source, timeZone: String,
        isZone: (String) -> Bool
    ) throws(Refusal) {
        guard case .object = feature, feature["type"] == .string("Feature") else {
            throw Refusal(reason: "is not a GeoJSON Feature")
        }
        guard let coordinate = PlaceFeature.coordinate(of: feature["geometry"]) else {
            throw Refusal(reason: "has no position in degrees of longitude and latitude")
        }
        let tags = Tags(feature["properties"])
        guard let rawName = tags["name"] ?? tags["brand"] else {
            throw Refusal(reason: "has no name")
        }
        let name: String
        do throws(DisplayName.Reason) {
            name = try DisplayName.checked(rawName, atMost: Place.longestName)
            guard name.unicodeScalars.count <= Place.longestName else {
                throw DisplayName.Reason(text: "must have at most \(Place.longestName) characters")
            }
        } catch {
            throw Refusal(reason: "has a name that cannot be shown: it \(error.text)")
        }
        var reader = TextReader()
        let website = reader.website(tags["website"] ?? tags["contact:website"] ?? tags["url"])
        let own = tags["timezone"]
        let zone = own.flatMap { isZone($0) ? $0 : nil } ?? timeZone
        if own != nil, own != zone { reader.omit("time zone is unknown") }
        place = Place(
            id: PlaceFeature.id(of: feature, tags, name, coordinate, source), source: source,
            name: name,
            kind: reader.line(tags.kind, "kind", atMost: Place.longestKind),
            coordinate: coordinate,
            description: reader.line(
                tags["description"], "description", atMost: Place.longestDescription),
            address: reader.line(tags.address, "address", atMost: Place.longestAddress),
            openingHours: reader.line(
                tags["opening_hours"], "opening hours", atMost: Place.longestOpeningHours),
            phone: reader.line(
                tags["phone"] ?? tags["contact:phone"], "phone number",
                atMost: Place.longestPhone),
            website: website, timeZone: zone)
        omissions = reader.omissions
    }

    /// Returns a point itself; for anything larger, the centre of its bounding box.
    private static func coordinate(of geometry: JSONValue?) -> Coordinate? {
        var bounds = Bounds()
        guard let coordinates = geometry?["coordinates"], bounds.add(coordinates, depth: 0),
            let middle = bounds.middle
        else { return nil }
        return Coordinate(latitude: middle.latitude, longitude: middle.longitude)
    }

    /// The bounding box of positions in arrays of arrays, as in GeoJSON.
    private struct Bounds {
        private var (west, east) = (Double.infinity, -Double.infinity)
        private var (south, north) = (Double.infinity, -Double.infinity)
        /// The depth of a MultiPolygon: polygons, rings, positions, numbers.
        private static let deepest = 4

        var middle: (latitude: Double, longitude: Double)? {
            guard west <= east else { return nil }
            // Anything wider than half the world crosses ±180°.
            guard east - west <= 180 else { return nil }
            return ((south + north) / 2, (west + east) / 2)
        }

        mutating func add(_ value: JSONValue, depth: Int) -> Bool {
            guard case .array(let values) = value, depth < Bounds.deepest else { return false }
            if values.count >= 2, case .number(let longitude) = values[0],
                case .number(let latitude) = values[1]
            {
                guard (-180...180).contains(longitude), (-90...90).contains(latitude) else {
                    return false
                }
                (west, east) = (min(west, longitude), max(east, longitude))
                (south, north) = (min(south, latitude), max(north, latitude))
                return true
            }
            for value in values where !add(value, depth: depth + 1) { return false }
            return true
        }
    }

    /// Returns the same id for the same feature, so that importing it again changes nothing.
    private static func id(
        of feature: JSONValue, _ tags: Tags, _ name: String, _ coordinate: Coordinate,
        _ source: Place.Source
    ) -> Name {
        let own =
            text(feature["id"]) ?? tags["@id"] ?? tags["osm_id"]
            ?? "\(name) \(coordinate.latitudeE7) \(coordinate.longitudeE7)"
        let digest = SHA256.hash(data: Data("\(source) \(own)".utf8))
        let letters = digest.prefix(idBytes).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }
        guard let id = Name(letters.joined()) else { preconditionFailure("hexadecimal digits") }
        return id
    }

    private static let idBytes = 10

    fileprivate static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .number: value?.integer.map { String($0) }
        default: nil
        }
    }
}

/// The tags of a feature.
private struct Tags {
    private let outer: JSONValue?
    private let inner: JSONValue?

    init(_ properties: JSONValue?) {
        outer = properties
        inner = properties?["tags"]
    }

    subscript(_ key: String) -> String? {
        PlaceFeature.text(outer?[key]) ?? PlaceFeature.text(inner?[key])
    }

    /// The OpenStreetMap keys that give a feature's type.
    private static let kinds = [
        "kind", "amenity", "shop", "healthcare", "tourism", "leisure", "office", "craft",
        "public_transport", "railway", "highway", "building",
    ]

    var kind: String? { Tags.kinds.lazy.compactMap { self[$0] }.first }

    /// `Via Carlo Farini 79, 20159 Milano`
    var address: String? {
        if let full = self["addr:full"] ?? self["address"] { return full }
        func joined(_ first: String, _ second: String) -> String? {
            let parts = [self[first], self[second]].compactMap { $0 }
            return parts.isEmpty ? nil : parts.joined(separator: " ")
        }
        let street = self["addr:street"] == nil ? nil : joined("addr:street", "addr:housenumber")
        let lines = [street, joined("addr:postcode", "addr:city")].compactMap { $0 }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }
}

/// Reads texts that can be displayed, and records those that cannot.
private struct TextReader {
    private(set) var omissions: [String] = []

    mutating func omit(_ what: String) { omissions.append(what) }

    mutating func line(_ text: String?, _ what: String, atMost length: Int) -> String? {
        guard let text else { return nil }
        let single = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        do throws(DisplayName.Reason) {
            let checked = try DisplayName.checked(single, atMost: length)
            // Counted in Unicode scalars, as by the receiver.
            guard checked.unicodeScalars.count <= length else {
                throw DisplayName.Reason(text: "must have at most \(length) characters")
            }
            return checked
        } catch {
            omissions.append("\(what) \(error.text)")
            return nil
        }
    }

    /// Reads a web address; other schemes could execute something in a browser.
    mutating func website(_ text: String?) -> String? {
        guard let line = line(text, "website", atMost: Place.longestWebsite) else { return nil }
        let address = line.contains("://") ? line : "https://" + line
        // An added scheme counts towards the length.
        guard address.unicodeScalars.count <= Place.longestWebsite else {
            omissions.append("website must have at most \(Place.longestWebsite) characters")
            return nil
        }
        guard let components = URLComponents(string: address),
            ["http", "https"].contains(components.scheme?.lowercased()), components.host != nil,
            components.user == nil, components.password == nil
        else {
            omissions.append("website must be an address of http or https")
            return nil
        }
        return address
    }
}
