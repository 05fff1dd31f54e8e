internal import CMosquitto
internal import Glibc

/// A connection to the broker, driven by hand by the one thread that owns it.
///
/// libmosquitto acknowledges a message before it hands it over. It only *queues* that
/// acknowledgement, though, while it believes that another thread does the writing. So we tell
/// it that, and write ourselves: ``receive(atMost:)`` reads and holds every acknowledgement,
/// ``release()`` sends them, followed by what was published in between. Between the two there
/// is room for a commit to disk.
///
/// The order of calls is: ``connect()``; then again and again ``wait(until:waker:)``,
/// ``receive(atMost:)``, ``publish(topic:payload:qos:retain:)``, ``release()`` and
/// ``maintain()``. Whatever happened at the broker's end is found in ``takeEvents()``.
@safe  // The handle is made in `init`, destroyed in `deinit`, and never leaves.
public final class Connection {
    /// What the broker said besides messages.
    public enum Event: Sendable {
        /// The broker took us in; whether it still had our session.
        case connected(sessionPresent: Bool)
        /// The connection ended; the broker's or the library's reason.
        case disconnected(MQTTError)
        /// The broker has our message of QoS 1 with this identifier.
        case confirmed(PublishID)
        /// The broker answered a subscription; false where it refused any of the filters.
        case subscribed(granted: Bool)
    }

    /// Identifies a published message until its confirmation.
    public struct PublishID: Hashable, Sendable {
        public let rawValue: Int32
    }

    public let options: ConnectionOptions
    public private(set) var isConnected = false

    private let handle: OpaquePointer
    private var inbox: [Message] = []
    private var events: [Event] = []
    private var progress = false

    public init(_ options: ConnectionOptions) throws(MQTTError) {
        Library.start()
        self.options = options
        guard
            let handle = unsafe mosquitto_new(
                options.clientID, options.version == .v5 ? true : options.cleanStart, nil)
        else { throw MQTTError(.create, code: MOSQ_ERR_NOMEM.rawValue) }
        unsafe self.handle = unsafe handle
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        setCallbacks()
    }

    deinit { unsafe mosquitto_destroy(handle) }

    // MARK: Connecting

    /// Opens the socket and sends the CONNECT; the answer comes as an event.
    ///
    /// Also used to connect again: what was published with QoS 1 and not yet confirmed is sent
    /// again by the library, acknowledgements held from the former connection are dropped (the
    /// broker delivers those messages again).
    public func connect() throws(MQTTError) {
        inbox.removeAll(keepingCapacity: true)
        isConnected = false
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        if options.version == .v5, options.sessionExpiry > 0 {
            _ = unsafe mosquitto_property_add_int32(
                &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue.signed,
                options.sessionExpiry)
        }
        let code = unsafe mosquitto_connect_bind_v5(
            handle, options.host, options.port, options.keepAlive, nil, properties)
        guard code == success else { throw MQTTError(.connect, code: code) }
        try release()
    }

    /// Says goodbye, so that the broker does not publish the will; call ``release()`` after it.
    public func disconnect() {
        unsafe mosquitto_disconnect_v5(handle, 0, nil)
    }

    /// - Parameter ownMessagesToo: whether we want to receive what we publish ourselves.
    public func subscribe(
        to filters: [String], qos: QoS = .atLeastOnce, ownMessagesToo: Bool = false
    ) throws(MQTTError) {
        let options = ownMessagesToo ? 0 : MQTT_SUB_OPT_NO_LOCAL.rawValue.signed
        for filter in filters {
            let code = unsafe mosquitto_subscribe_v5(
                handle, nil, filter, qos.rawValue, self.options.version == .v5 ? options : 0, nil)
            guard code == success else { throw MQTTError(.subscribe, code: code) }
        }
    }

    public func unsubscribe(from filters: [String]) throws(MQTTError) {
        for filter in filters {
            let code = unsafe mosquitto_unsubscribe(handle, nil, filter)
            guard code == success else { throw MQTTError(.subscribe, code: code) }
        }
    }

    // MARK: A round

    /// The socket, for programs that wait for many connections at once; -1 when there is none.
    public var fileDescriptor: Int32 { unsafe mosquitto_socket(handle) }

    /// Whether something waits to be written that the socket has not taken yet.
    public var wantsWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// Sleeps until there is something to read, room for what waits to be written, the waker
    /// was woken, or the time is over.
    ///
    /// - Parameter milliseconds: 0 looks without sleeping.
    public func wait(atMost milliseconds: Int32, waker: Waker? = nil) throws(MQTTError) {
        let events = Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0)
        var entries = [
            pollfd(fd: fileDescriptor, events: events, revents: 0),
            pollfd(fd: waker?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let result = unsafe poll(&entries, 2, milliseconds)
        guard result >= 0 || errno == EINTR else {
            throw MQTTError(.poll, code: MOSQ_ERR_ERRNO.rawValue)
        }
        if entries[1].revents != 0 { waker?.reset() }
    }

    /// Reads what is waiting, up to `limit` messages, and holds back the acknowledgements.
    ///
    /// A broken connection is not an error here but an event: the messages read before it
    /// broke are still returned, and will come again.
    public func receive(atMost limit: Int) -> [Message] {
        defer { inbox.removeAll(keepingCapacity: true) }
        while inbox.count < limit, fileDescriptor >= 0 {
            progress = false
            errno = 0
            let code = unsafe mosquitto_loop_read(handle, 1)
            if code != success {
                noteDisconnected(MQTTError(.read, code: code))
                break
            }
            // The library says by errno alone that the socket had nothing (more) for it.
            if !progress, errno == EAGAIN { break }
        }
        return inbox
    }

    /// Hands a message to the library; it leaves with the next ``release()``.
    ///
    /// - Returns: what the confirmation will name, for QoS 1.
    @discardableResult
    public func publish(
        topic: String, payload: [UInt8], qos: QoS = .atMostOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil, responseTopic: String? = nil
    ) throws(MQTTError) -> PublishID {
        var identifier: Int32 = 0
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        if options.version == .v5 {
            if let correlationData {
                _ = unsafe mosquitto_property_add_binary(
                    &properties, MQTT_PROP_CORRELATION_DATA.rawValue.signed, correlationData,
                    UInt16(clamping: correlationData.count))
            }
            if let responseTopic {
                _ = unsafe mosquitto_property_add_string(
                    &properties, MQTT_PROP_RESPONSE_TOPIC.rawValue.signed, responseTopic)
            }
        }
        let code = unsafe mosquitto_publish_v5(
            handle, &identifier, topic, Int32(payload.count), payload, qos.rawValue, retain,
            properties)
        // Not connected: QoS 1 is kept by the library and leaves after the next connect.
        guard code == success || (code == MOSQ_ERR_NO_CONN.rawValue && qos != .atMostOnce) else {
            throw MQTTError(.publish, code: code)
        }
        return PublishID(rawValue: identifier)
    }

    /// Sends the held acknowledgements and then what was published, as far as the socket takes
    /// it; ``wantsWrite`` tells whether something is left.
    public func release() throws(MQTTError) {
        guard fileDescriptor >= 0 else { return }
        let code = unsafe mosquitto_loop_write(handle, 1)
        guard code == success else {
            let error = MQTTError(.write, code: code)
            noteDisconnected(error)
            throw error
        }
    }

    /// Sends the ping when it is due and notices a broker that went silent; once a second.
    public func maintain() {
        guard fileDescriptor >= 0 else { return }
        let code = unsafe mosquitto_loop_misc(handle)
        if code != success { noteDisconnected(MQTTError(.read, code: code)) }
    }

    /// What happened since the last call, in order.
    public func takeEvents() -> [Event] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    // MARK: Called back by the library

    func noteConnected(code: Int32, sessionPresent: Bool) {
        progress = true
        guard code == 0 else { return noteDisconnected(MQTTError(refused: code)) }
        isConnected = true
        events.append(.connected(sessionPresent: sessionPresent))
    }

    func noteDisconnected(_ error: MQTTError) {
        progress = true
        if case .disconnected = events.last { return }
        isConnected = false
        events.append(.disconnected(error))
    }

    func noteConfirmed(_ identifier: Int32) {
        progress = true
        events.append(.confirmed(PublishID(rawValue: identifier)))
    }

    func noteSubscribed(granted: Bool) {
        progress = true
        events.append(.subscribed(granted: granted))
    }

    func noteReceived(_ message: Message) {
        progress = true
        inbox.append(message)
    }

    // MARK: Setting up

    private func configure() throws(MQTTError) {
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

    private func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, _ in
            unsafe Connection.of(context).noteConnected(
                code: code, sessionPresent: flags & 1 == 1)
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            unsafe Connection.of(context).noteDisconnected(MQTTError(.read, code: code))
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, context, identifier, _, _ in
            unsafe Connection.of(context).noteConfirmed(identifier)
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, context, _, count, granted, _ in
            guard let granted = unsafe granted else { return }
            let refused = unsafe UnsafeBufferPointer(start: granted, count: Int(count))
                .contains { $0 >= 0x80 }
            unsafe Connection.of(context).noteSubscribed(granted: !refused)
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
}

/// libmosquitto is set up once for the whole process and never torn down.
private enum Library {
    private static let started: Int32 = mosquitto_lib_init()
    static func start() { precondition(started == success, "libmosquitto does not start") }
}

let success = MOSQ_ERR_SUCCESS.rawValue

extension UInt32 {
    /// C enumerations arrive unsigned; the library's functions take `int`.
    var signed: Int32 { Int32(bitPattern: self) }
}
