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
    }
}
