internal import CMosquitto

extension Connection {
    /// Passes the options to the library, once, before the first connect.
    func configure() throws(MQTTError) {
        var codes: [Int32] = []
        codes.append(unsafe mosquitto_threaded_set(handle, true))
        codes.append(
            unsafe mosquitto_int_option(
                handle, MOSQ_OPT_PROTOCOL_VERSION,
                options.version == .v5
                    ? Int32(MQTT_PROTOCOL_V5) : Int32(MQTT_PROTOCOL_V311)))
        codes.append(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
        codes.append(
            unsafe mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, options.receiveMaximum))
        codes.append(unsafe mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, 65535))
        if let username = options.username {
            codes.append(unsafe mosquitto_username_pw_set(handle, username, options.password))
        }
        if let will = options.will {
            codes.append(
                unsafe mosquitto_will_set(
                    handle, will.topic, Int32(will.payload.count), will.payload, will.qos.rawValue,
                    will.retain))
        }
        if let tls = options.tls {
            if tls.authorities == nil {
                codes.append(unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
            }
            if tls.authorities != nil || tls.certificate != nil {
                codes.append(
                    unsafe mosquitto_tls_set(
                        handle, tls.authorities, nil, tls.certificate, tls.key, nil))
            }
            codes.append(unsafe mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil))
        }
        if let code = codes.first(where: { $0 != success }) {
            throw MQTTError(.configure, code: code)
        }
    }
}
