internal import Contract
internal import JSON
internal import MQTT
internal import Numbers
internal import Tracking

/// A phone's connection options and the payloads that it sends.
extension Phone {
    /// The most fixes in one message; far below 64 KiB, whatever they contain.
    static let arrayLimit = 100

    /// The real OwnTracks app sends the fixes that it kept one by one.
    var messageLimit: Int { format == .kith ? Phone.arrayLimit : 1 }

    func fixTopic(in space: TopicSpace) -> String {
        switch format {
        case .kith: space.string(.fix(user, device: device))
        case .ownTracks: space.string(.ownTracks(user, device: device, suffix: ""))
        }
    }

    func connectionOptions(_ options: Fleet.Options, at now: Timestamp) -> ConnectionOptions {
        let id: String
        switch format {
        case .kith: id = "\(user).\(device)"
        // The app drops characters other than letters and digits.
        case .ownTracks: id = "\(user)\(device)".filter { $0 != "-" && $0 != "_" }
        }
        var result = ConnectionOptions(host: options.host, port: options.port, clientID: id)
        result.username = username ?? (password == nil ? nil : user.text)
        result.password = password
        result.tls = options.tls
        switch format {
        case .kith:
            let status = options.topics.string(.status(user, device: device))
            result.will = .init(topic: status, payload: Array("offline".utf8))
        case .ownTracks:
            result.version = .v311
            result.keepAlive = 60
            let will = JSONWriter.object { json in
                json.key("_type")
                json.string("lwt")
                json.key("tst")
                json.number(now.milliseconds / 1000)
            }
            result.will = .init(
                topic: fixTopic(in: options.topics), payload: will, qos: .atMostOnce, retain: false)
        }
        return result
    }

    /// - Parameter fixes: at least one and at most ``messageLimit``, with their numbers.
    func payload(of fixes: [Fix], at now: Timestamp) -> [UInt8] {
        var json = JSONWriter(capacity: 256 * fixes.count)
        switch format {
        case .kith:
            let fixes = fixes.map { fix in
                var fix = fix
                if !wantsReceipts { fix.sequence = nil }
                return fix
            }
            if fixes.count == 1 {
                json.fix(fixes[0], asReceived: false)
            } else {
                json.array(fixes) { $0.fix($1, asReceived: false) }
            }
        case .ownTracks:
            for fix in fixes.prefix(1) { json.ownTracks(fix, from: self, at: now) }
        }
        return json.bytes
    }

    /// Returns eight hexadecimal digits that look random but are the same when the fix is sent
    /// again.
    fileprivate func messageID(_ fix: Fix) -> String {
        var mixer = SplitMix64(seed: seed ^ UInt64(bitPattern: fix.takenAt.milliseconds))
        let digits = String(mixer.next() >> 32, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension JSONWriter {
    /// Writes a `location` as OwnTracks 2.6 for Android does in move mode (owntracks.md, 1.1).
    fileprivate mutating func ownTracks(_ fix: Fix, from phone: Phone, at now: Timestamp) {
        func integer(_ key: StaticString, _ value: Double?, to json: inout JSONWriter) {
            guard let value, value.rounded() != 0 else { return }
            json.key(key)
            json.number(Int64(clamping: value.rounded()))
        }
        object { json in
            json.key("_type")
            json.string("location")
            json.key("_id")
            json.string(phone.messageID(fix))
            json.key("lat")
            json.degrees(e7: fix.coordinate.latitudeE7)
            json.key("lon")
            json.degrees(e7: fix.coordinate.longitudeE7)
            json.key("tst")
            json.number(fix.takenAt.milliseconds / 1000)
            json.key("created_at")
            json.number(now.milliseconds / 1000)
            integer("acc", fix.accuracy, to: &json)
            integer("alt", fix.altitude, to: &json)
            integer("vel", fix.speed.map { $0 * 3.6 }, to: &json)
            integer("cog", fix.heading.map { $0 < 359.5 ? $0 : 0 }, to: &json)
            integer("batt", fix.battery, to: &json)
            json.key("bs")
            json.number(1)
            json.key("conn")
            json.string("m")
            json.key("m")
            json.number(2)
            json.key("t")
            json.string("t")
            json.key("tid")
            json.string(String(phone.device.text.suffix(2)))
        }
    }
}
