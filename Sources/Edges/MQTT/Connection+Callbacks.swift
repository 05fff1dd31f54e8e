internal import CMosquitto
internal import Glibc

/// The library's callbacks, on the thread that makes it read or write.
extension Connection {
    func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, properties in
            var maximum = noMaximum
            _ = unsafe mosquitto_property_read_int16(
                properties, MQTT_PROP_RECEIVE_MAXIMUM.rawValue.signed, &maximum, false)
            var largest: UInt32 = 0
            _ = unsafe mosquitto_property_read_int32(
                properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue.signed, &largest, false)
            let connection = unsafe Connection.of(context)
            connection.packetMaximum = largest > 0 ? Int(largest) : .max
            connection.noteConnected(
                code: code, sessionPresent: flags & 1 == 1, sendMaximum: Int(maximum))
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            unsafe Connection.of(context).noteDisconnected(MQTTError(.read, code: code))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, context, identifier, code, _ in
            unsafe Connection.of(context).noteAnswered(identifier, code: code)
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) {
            _, context, identifier, count, granted, _ in
            guard let granted = unsafe granted else { return }
            let refused = unsafe UnsafeBufferPointer(start: granted, count: Int(count))
                .contains { $0 >= firstRefusal }
            unsafe Connection.of(context).noteSubscribed(identifier, granted: !refused)
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, context, message, properties in
            guard let message = unsafe message?.pointee else { return }
            unsafe Connection.of(context).noteReceived(Message(message, properties))
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Connection {
        guard let context = unsafe context else { preconditionFailure("set in init") }
        return unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    }

    func noteConnected(code: Int32, sessionPresent: Bool, sendMaximum: Int) {
        progress = true
        guard code == 0 else { return noteDisconnected(MQTTError(refused: code)) }
        self.sendMaximum = sendMaximum
        isConnected = true
        events.append(.connected(sessionPresent: sessionPresent))
        stopReading()
    }

    func noteDisconnected(_ error: MQTTError) {
        progress = true
        if case .disconnected = events.last { return }
        isConnected = false
        events.append(.disconnected(error))
    }

    /// - Parameter code: the broker's reason code (MQTT 5, 3.4.2.1); 0 in MQTT 3.1.1.
    func noteAnswered(_ identifier: Int32, code: Int32) {
        progress = true
        // While writing, the library makes this call for each message of QoS 0 that was sent.
        if isWriting { return }
        unanswered -= 1
        if code >= firstRefusal {
            refusedCount += 1
            events.append(.refused(PublishID(rawValue: identifier)))
        } else {
            events.append(.confirmed(PublishID(rawValue: identifier)))
        }
    }

    func noteSubscribed(_ identifier: Int32, granted: Bool) {
        progress = true
        events.append(.subscribed(SubscriptionID(rawValue: identifier), granted: granted))
    }

    func noteReceived(_ message: Message) {
        progress = true
        inbox.append(message)
        if inbox.count >= limit { stopReading() }
    }

    /// The library would go on to read one packet per unconfirmed message of ours, unless errno
    /// says that the socket is empty.
    private func stopReading() { errno = EAGAIN }
}

/// The receive maximum of a broker that announces none (MQTT 5, 3.2.2.3.3).
private let noMaximum: UInt16 = 65_535
