internal import CMosquitto
internal import Glibc

extension Message {
    /// Copies a message that the library owns.
    init(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        unsafe self.init(
            topic: unsafe String(cString: message.topic),
            payload: unsafe Array(
                UnsafeRawBufferPointer(
                    start: message.payload, count: Int(message.payloadlen))),
            qos: QoS(rawValue: message.qos) ?? .exactlyOnce,
            retain: message.retain,
            packetID: UInt16(truncatingIfNeeded: message.mid))
        guard unsafe properties != nil else { return }
        var text: UnsafeMutablePointer<CChar>?
        if unsafe mosquitto_property_read_string(
            properties, MQTT_PROP_RESPONSE_TOPIC.rawValue.signed, &text, false) != nil,
            let text = unsafe text
        {
            responseTopic = unsafe String(cString: text)
            unsafe free(text)
        }
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        if unsafe mosquitto_property_read_binary(
            properties, MQTT_PROP_CORRELATION_DATA.rawValue.signed, &bytes, &count, false) != nil
        {
            correlationData = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            unsafe free(bytes)
        }
        lastUserProperty = unsafe Message.lastUserProperty(of: properties)
    }
    private static func lastUserProperty(of properties: OpaquePointer?) -> (String, String)? {
        var last: OpaquePointer?
        var property = unsafe properties
        while let current = unsafe property {
            if unsafe mosquitto_property_identifier(current)
                == MQTT_PROP_USER_PROPERTY.rawValue.signed
            {
                unsafe last = current
            }
            unsafe property = mosquitto_property_next(current)
        }
        var (name, value): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
        guard let last = unsafe last,
            unsafe mosquitto_property_read_string_pair(
                last, MQTT_PROP_USER_PROPERTY.rawValue.signed, &name, &value, false) != nil,
            let name = unsafe name, let value = unsafe value
        else { return nil }
        defer {
            unsafe free(name)
            unsafe free(value)
        }
        return unsafe (String(cString: name), String(cString: value))
    }
}
