internal import Contract
internal import Tracking

/// `{exportedAt,account,usage,devices,…,alerts,acknowledgements,messages}`, written as the items come.
struct AccountText {
    /// The lists that are kept until all their items have come, and written before the long ones.
    /// Items of the long lists come in the order below.
    private static let short = [
        ("device", "devices"), ("group", "groups"), ("state", "states"), ("friend", "friends"),
        ("blocked", "blocked"),
    ]
    private static let long = [
        ("alert", "alerts"), ("acknowledgement", "acknowledgements"), ("message", "messages"),
    ]

    private var kept: [String: [JSONValue]] = [:]
    /// The number of long lists begun so far.
    private var begun = 0
    private var isEmpty = true
    private var text: String

    init(at now: Timestamp) { text = "{\"exportedAt\":\"\(now.rfc3339)\"" }

    mutating func add(_ item: JSONValue) {
        guard let index = AccountText.long.firstIndex(where: { $0.0 == item.type }) else {
            return kept[item.type, default: []].append(item)
        }
        begin(index + 1)
        text += (isEmpty ? "\n" : ",\n") + item.text
        isEmpty = false
    }

    mutating func end() {
        begin(AccountText.long.count)
        text += "]}\n"
    }

    mutating func take() -> String {
        defer { text = "" }
        return text
    }

    private mutating func begin(_ count: Int) {
        if begun == 0 { writeShort() }
        while begun < count {
            text += (begun == 0 ? "" : "]") + ",\n\"\(AccountText.long[begun].1)\":["
            begun += 1
            isEmpty = true
        }
    }

    private mutating func writeShort() {
        for type in ["account", "usage"] {
            text += ",\n\"\(type)\":\(kept[type]?.first?.text ?? "null")"
        }
        for (type, key) in AccountText.short {
            let items = (kept[type] ?? []).map(\.text).joined(separator: ",\n")
            text += ",\n\"\(key)\":[\(items)]"
        }
    }
}

/// A FeatureCollection (RFC 7946).
struct FeatureText {
    private var isEmpty = true
    private var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)

    mutating func add(_ feature: [UInt8]) {
        bytes += Array((isEmpty ? "\n" : ",\n").utf8) + feature
        isEmpty = false
    }

    /// A Point whose properties are the fix and its device.
    mutating func add(fix item: JSONValue) {
        guard let fix = item["fix"], let place = fix.place else { return }
        add(
            JSONWriter.object { json in
                json.key("type")
                json.string("Feature")
                json.key("geometry")
                json.object { json in
                    json.key("type")
                    json.string("Point")
                    json.key("coordinates")
                    json.position(place, altitude: fix.number("altitude"))
                }
                json.key("properties")
                json.value(.object(item.members("device") + fix.members))
            })
    }

    mutating func end() { bytes += Array("\n]}\n".utf8) }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

/// `[{device,fixes:[Fix]}]`
struct FixText {
    private var device: String?
    private var text = "["

    mutating func add(_ item: JSONValue) {
        guard let device = item.text("device"), let fix = item["fix"] else { return }
        if device == self.device {
            text += ",\n"
        } else {
            text += self.device == nil ? "\n" : "\n]},\n"
            text += "{\"device\":\"\(device)\",\"fixes\":[\n"
            self.device = device
        }
        text += fix.text
    }

    mutating func end() { text += device == nil ? "]\n" : "\n]}\n]\n" }

    mutating func take() -> String {
        defer { text = "" }
        return text
    }
}

/// A path whose parts arrive one after the other.
struct PathInParts {
    private var number: Double?
    private var mode: Path.Mode?
    private var startedAt: Timestamp?
    private var points: [Path.Point] = []

    /// - Returns: the previous path, if this item begins another one.
    mutating func add(_ item: JSONValue, of user: Name) -> PathDocument? {
        var whole: PathDocument?
        if item.number("number") != number {
            whole = end(of: user)
            number = item.number("number")
            mode = item.text("mode").flatMap { Path.Mode(rawValue: $0) }
            startedAt = item.text("startedAt").flatMap { Timestamp(rfc3339: $0) }
        }
        for point in item["points"]?.elements ?? [] {
            let numbers = point.elements
            guard numbers.count == 3, case .number(let longitude) = numbers[0],
                case .number(let latitude) = numbers[1], let time = numbers[2].integer,
                let place = Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            points.append(
                Path.Point(coordinate: place, takenAt: Timestamp(milliseconds: time)))
        }
        return whole
    }

    mutating func end(of user: Name) -> PathDocument? {
        guard number != nil else { return nil }
        defer { (number, points) = (nil, []) }
        return PathDocument(
            user: user, name: user.text, mode: mode, startedAt: startedAt, points: points)
    }
}

extension JSONValue {
    /// The JSON text of this value.
    fileprivate var text: String {
        var json = JSONWriter()
        json.value(self)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    var place: Coordinate? {
        guard let latitude = number("latitude"), let longitude = number("longitude") else {
            return nil
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    fileprivate func members(_ key: String) -> [Member] { members.filter { $0.key == key } }
}
