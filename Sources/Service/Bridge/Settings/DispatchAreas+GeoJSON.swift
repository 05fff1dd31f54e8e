internal import Foundation
internal import Glibc
internal import JSON
internal import Settings
internal import Tracking
internal import Transfer
internal import Webhooks

/// The file of areas: a `FeatureCollection` (RFC 7946), each feature with `number` and `ways`. The
/// feature without a geometry applies everywhere else.
extension DispatchAreas {
    static let maximumSize = 16 << 20
    static let maximumAreas = 1_000

    /// - Throws: ``SettingsError`` with all errors.
    init(file path: String) throws(SettingsError) {
        let content: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            content = try file.read(upToCount: DispatchAreas.maximumSize + 1) ?? Data()
        } catch {
            throw SettingsError(reasons: ["\(path) cannot be read."])
        }
        guard content.count <= DispatchAreas.maximumSize else {
            throw SettingsError(
                reasons: ["\(path) is larger than \(DispatchAreas.maximumSize) bytes."])
        }
        try self.init(geoJSON: Array(content), path)
    }

    /// - Parameter path: names the file in errors.
    init(geoJSON: [UInt8], _ path: String) throws(SettingsError) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(geoJSON)
        } catch {
            throw SettingsError(reasons: ["\(path) is not JSON: \(error.reason)."])
        }
        guard value["type"]?.text == "FeatureCollection",
            case .array(let features)? = value["features"],
            features.count <= DispatchAreas.maximumAreas
        else {
            throw SettingsError(
                reasons: [
                    "\(path) must be a GeoJSON FeatureCollection with at most "
                        + "\(DispatchAreas.maximumAreas) features."
                ])
        }
        var reader = AreaReader(path)
        let read = features.enumerated().compactMap { reader.area($1, $0 + 1) }
        let elsewhere = read.filter { $0.region == nil }
        if elsewhere.count > 1 {
            reader.reasons.append("\(path): only one feature can have no geometry.")
        }
        if Set(read.map(\.name)).count < read.count {
            reader.reasons.append("\(path): two features have the same name.")
        }
        guard reader.reasons.isEmpty else { throw SettingsError(reasons: reader.reasons) }
        self.init(read.filter { $0.region != nil }, elsewhere: elsewhere.first ?? .usual)
    }
}

/// Reads features, and collects all errors.
private struct AreaReader {
    let path: String
    var reasons: [String] = []
    private var feature = 0

    init(_ path: String) { self.path = path }

    private mutating func refuse(_ reason: String) {
        reasons.append("\(path), feature \(feature): \(reason).")
    }

    mutating func area(_ value: JSONValue, _ number: Int) -> DispatchAreas.Area? {
        feature = number
        guard value["type"]?.text == "Feature", let properties = value["properties"] else {
            refuse("it must be a Feature with properties")
            return nil
        }
        let before = reasons.count
        let region = region(value["geometry"] ?? .null)
        let phone = properties["number"]?.text ?? ""
        let digits = phone.utf8.count { (0x30...0x39).contains($0) }
        if !(2...15).contains(digits)
            || !phone.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+ -".utf8.contains($0) })
        {
            refuse("`number` must be a telephone number")
        }
        let name = properties["name"]?.text ?? (region == nil ? "everywhere" : "area \(number)")
        if name.isEmpty || name.count > 80
            || name.unicodeScalars.contains(where: { $0.value < 0x20 })
        {
            refuse("`name` must be a line of at most 80 characters")
        }
        var ways: [DispatchWay] = []
        if case .array(let values)? = properties["ways"] { ways = values.compactMap { way($0) } }
        if ways.isEmpty, reasons.count == before { refuse("`ways` must have at least one way") }
        if Set(ways).count < ways.count || ways.count > 8 {
            refuse("`ways` must have at most 8 ways, all different")
        }
        guard reasons.count == before else { return nil }
        return DispatchAreas.Area(name: name, number: phone, ways: ways, region: region)
    }

    // MARK: Ways

    private mutating func way(_ value: JSONValue) -> DispatchWay? {
        switch value["way"]?.text {
        case "mqtt": return .mqtt
        case "webhook": return webhook(value)
        case "command": return command(value)
        default:
            refuse("a way must have `way`: mqtt, webhook or command")
            return nil
        }
    }

    private mutating func webhook(_ value: JSONValue) -> DispatchWay? {
        let url = value["url"]?.text ?? ""
        let secret = value["secret"]?.text ?? ""
        do throws(TransferError) {
            let endpoint = try Endpoint(url)
            guard endpoint.isEncrypted else { throw .unencrypted }
        } catch {
            refuse("`url` of a webhook must begin with https://")
            return nil
        }
        guard WebhookSecret(secret) != nil else {
            refuse("`secret` of a webhook must be whsec_ and 24 to 64 bytes in base64")
            return nil
        }
        return .webhook(url: url, secret: secret)
    }

    private mutating func command(_ value: JSONValue) -> DispatchWay? {
        guard case .array(let words)? = value["run"],
            let program = words.first?.text, program.hasPrefix("/"),
            words.allSatisfy({ $0.text.map { !$0.utf8.contains(0) } ?? false })
        else {
            refuse("`run` of a command must be a list of strings that begins with a path")
            return nil
        }
        guard access(program, X_OK) == 0 else {
            refuse("\(program) cannot be run by this user")
            return nil
        }
        return .command(words.compactMap(\.text))
    }

    // MARK: Geometry

    private mutating func region(_ geometry: JSONValue) -> Region? {
        if geometry == .null { return nil }
        let polygons: [JSONValue]
        switch (geometry["type"]?.text, geometry["coordinates"]) {
        case ("Polygon", let coordinates?): polygons = [coordinates]
        case ("MultiPolygon", .array(let several)?): polygons = several
        default:
            refuse("its geometry must be a Polygon, a MultiPolygon or null")
            return nil
        }
        let read = polygons.compactMap { polygon($0) }
        guard read.count == polygons.count, !read.isEmpty else {
            refuse(
                "a ring must be positions of longitude and latitude, at least four, the last the "
                    + "same as the first")
            return nil
        }
        return Region(read)
    }

    private func polygon(_ value: JSONValue) -> Region.Polygon? {
        guard case .array(let rings) = value else { return nil }
        let read = rings.compactMap { ring($0) }
        return read.count == rings.count ? Region.Polygon(rings: read) : nil
    }

    private func ring(_ value: JSONValue) -> [Coordinate]? {
        guard case .array(let positions) = value else { return nil }
        let corners = positions.compactMap { position -> Coordinate? in
            guard case .array(let numbers) = position, numbers.count >= 2,
                case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1]
            else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        guard corners.count == positions.count, corners.count >= 4, corners.first == corners.last
        else { return nil }
        return Array(corners.dropLast())
    }
}
