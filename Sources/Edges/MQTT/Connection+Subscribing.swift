internal import CMosquitto

extension Connection {
    /// - Parameter ownMessagesToo: whether to also receive our own messages.
    /// - Parameter withRetained: whether to receive retained messages (MQTT 5).
    /// - Returns: the identifiers that the broker's answers will have, in the order of the filters.
    @discardableResult
    public func subscribe(
        to filters: [String], qos: QoS = .atLeastOnce, ownMessagesToo: Bool = false,
        withRetained: Bool = true
    ) throws(MQTTError) -> [SubscriptionID] {
        var options = ownMessagesToo ? 0 : MQTT_SUB_OPT_NO_LOCAL.rawValue.signed
        if !withRetained { options |= MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue.signed }
        var identifiers: [SubscriptionID] = []
        for filter in filters {
            var identifier: Int32 = 0
            let code = unsafe mosquitto_subscribe_v5(
                handle, &identifier, filter, qos.rawValue,
                self.options.version == .v5 ? options : 0, nil)
            guard code == success else { throw MQTTError(.subscribe, code: code) }
            identifiers.append(SubscriptionID(rawValue: identifier))
        }
        return identifiers
    }

    public func unsubscribe(from filters: [String]) throws(MQTTError) {
        for filter in filters {
            let code = unsafe mosquitto_unsubscribe(handle, nil, filter)
            guard code == success else { throw MQTTError(.subscribe, code: code) }
        }
    }
}
