internal import CMosquittoBroker
internal import Contract
internal import Gate
internal import Glibc

/// Execution of the gatekeeper's orders.
extension Plugin {
    func performOrders() { for order in gatekeeper.takeOrders() { perform(order) } }

    func perform(_ order: Gatekeeper.Order) {
        switch order {
        case .cutOff(let client): unsafe mosquitto_kick_client_by_clientid(client.text, false)
        case .pause(let client): sockets.pause(client)
        case .resume(let client): sockets.resume(client)
        case .hold(let client):
            if !sockets.hold(client, at: Plugin.now) { gatekeeper.noteUnheld(client) }
        case .release(let client): sockets.release(client)
        case .publish(let topic, let payload): publish(topic, payload, retain: false)
        case .retain(let topic, let payload): publish(topic, payload, retain: true)
        // Levels below error are disabled in the configuration, since such lines name clients.
        case .log(let text): unsafe mosquitto_log_text(Int32(MOSQ_LOG_ERR), text)
        case .save: order_save()
        }
    }

    /// The broker queues the message and sends it after its current work.
    private func publish(_ topic: String, _ payload: [UInt8], retain: Bool) {
        unsafe mosquitto_broker_publish_copy(
            nil, topic, Int32(payload.count), payload, 1, retain, nil)
    }

    /// Adds the time of reception to a call for help. A property set by a client precedes it, and
    /// the last one counts.
    func stampCall(_ data: UnsafeMutableRawPointer?) {
        guard let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self),
            let client = unsafe event.pointee.client,
            let topic = unsafe Plugin.text(event.pointee.topic),
            gatekeeper.isCall(topic, by: UInt(bitPattern: client))
        else { return }
        var properties = unsafe event.pointee.properties
        // Without memory for it the call is passed on as it is.
        _ = unsafe mosquitto_property_add_string_pair(
            &properties, Int32(MQTT_PROP_USER_PROPERTY.rawValue), CallArrival.property,
            CallArrival.text(Plugin.wall))
        unsafe event.pointee.properties = properties
    }

    /// Publishes the message once more, with QoS 1 and all its properties.
    ///
    /// - Returns: whether the broker accepts it.
    func raise(_ event: mosquitto_evt_message, _ topic: String) -> Bool {
        var properties: OpaquePointer?
        guard
            unsafe mosquitto_copy_properties(&properties, event.properties)
                == MOSQ_ERR_SUCCESS.rawValue
        else { return false }
        let payload =
            unsafe envelope(event, topic)
            ?? Plugin.bytes(event.payload, Int(event.payloadlen))
        let code = unsafe mosquitto_broker_publish_copy(
            nil, event.topic, Int32(payload.count), payload, 1, false, properties)
        return code == MOSQ_ERR_SUCCESS.rawValue
    }

    /// Records the Correlation Data, which the broker passes on: of all messages to clients, only
    /// replies have a property.
    func noteProperties(_ data: UnsafeMutableRawPointer?) {
        guard let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self).pointee,
            let properties = unsafe event.properties, let topic = unsafe Plugin.text(event.topic)
        else { return }
        var value: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        guard
            unsafe mosquitto_property_read_binary(
                properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &value, &length, false)
                != nil
        else { return }
        unsafe free(value)
        // Its identifier, its length, and itself.
        gatekeeper.noteProperties(3 + Int(length), on: topic)
    }
}
