/// Hand-made MQTT packets, for what no honest client sends.
struct Packet {
    private(set) var bytes: [UInt8] = []

    static func text(_ text: String) -> [UInt8] { binary(Array(text.utf8)) }

    static func binary(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8 & 0xff), UInt8(bytes.count & 0xff)] + bytes
    }

    static func variable(_ value: Int) -> [UInt8] {
        var (value, bytes) = (value, [UInt8]())
        repeat {
            bytes.append(UInt8(value & 0x7f) | (value > 0x7f ? 0x80 : 0))
            value >>= 7
        } while value > 0
        return bytes
    }

    static func make(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type] + variable(body.count) + body
    }

    struct Will {
        var topic: String
        var payload = "gone"
        var qos: UInt8 = 0
        var retain = false
        var properties: [UInt8] = []
    }

    /// - Parameters:
    ///   - level: the protocol level, 4 or 5; plus 0x80 for a bridge.
    ///   - properties: the MQTT 5 properties, as bytes.
    static func connect(
        _ id: [UInt8], level: UInt8 = 4, clean: Bool = true, username: [UInt8]? = nil,
        password: [UInt8]? = nil, will: Will? = nil, properties: [UInt8] = [],
        surplus: [UInt8] = []
    ) -> [UInt8] {
        let isFive = level & 0x7f == 5
        var flags: UInt8 = clean ? 2 : 0
        if username != nil { flags |= 0x80 }
        if password != nil { flags |= 0x40 }
        if let will { flags |= 4 | will.qos << 3 | (will.retain ? 0x20 : 0) }
        var body = text("MQTT") + [level, flags, 0, 60]
        if isFive { body += variable(properties.count) + properties }
        body += binary(id)
        if let will {
            if isFive { body += variable(will.properties.count) + will.properties }
            body += text(will.topic) + text(will.payload)
        }
        if let username { body += binary(username) }
        if let password { body += binary(password) }
        return make(0x10, body + surplus)
    }

    /// For MQTT 3.1.1, QoS 0.
    static func publish(_ topic: [UInt8], _ payload: String = "x") -> [UInt8] {
        make(0x30, binary(topic) + Array(payload.utf8))
    }

    /// For MQTT 3.1.1.
    static func subscribe(_ filter: String) -> [UInt8] {
        make(0x82, [0, 1] + text(filter) + [0])
    }

    static let ping: [UInt8] = [0xc0, 0]
}
