internal import CMosquitto
internal import Glibc

/// A connection to the broker, driven manually by the one thread that owns it.
///
/// libmosquitto acknowledges a message before it delivers it. However, it only *queues* that
/// acknowledgement while it believes that another thread does the writing. So we make it believe
/// that, and write ourselves: ``receive(atMost:)`` reads and holds every acknowledgement,
/// ``release()`` sends them, followed by the messages published in between. Between the two there
/// is time for a commit to disk.
///
/// The order of calls is ``connect()``, then repeatedly ``wait(atMost:waker:)``,
/// ``receive(atMost:)``,
/// ``publish(topic:payload:qos:retain:correlationData:responseTopic:)``, ``release()`` and
/// ``maintain()``. ``takeEvents()`` returns what happened at the broker's end.
@safe  // The handle is made in `init`, destroyed in `deinit`, and never leaves.
public final class Connection {
    public let options: ConnectionOptions
    public internal(set) var isConnected = false
    /// The number of messages of QoS 1 that the broker has refused (MQTT 5); they are neither
    /// confirmed nor sent again.
    public internal(set) var refusedCount = 0
    /// The number of messages of QoS 1 in flight.
    public internal(set) var unanswered = 0
    /// How many messages of QoS 1 the broker accepts in flight.
    var sendMaximum = 65_535
    /// The size in bytes of the largest packet that the broker accepts.
    var packetMaximum = Int.max
    /// Set while plain messages are read and written without the library.
    var batched: BatchedSocket?

    let handle: OpaquePointer
    var inbox: [Message] = []
    var events: [Event] = []
    /// How many messages the current ``receive(atMost:)`` may still return.
    var limit = 0
    /// Whether the library has made a callback since it was last made to read.
    var progress = false
    var isWriting = false
    /// Whether ``receive(atMost:)`` stopped at its limit. The rest may be decrypted already, so
    /// that ``wait(atMost:waker:)`` would not see it at the socket.
    private var mayHaveMore = false

    public init(_ options: ConnectionOptions) throws(MQTTError) {
        Library.start()
        self.options = options
        guard
            let handle = unsafe mosquitto_new(
                options.clientID, options.cleanStart, nil)
        else { throw MQTTError(.create, code: MOSQ_ERR_NOMEM.rawValue) }
        unsafe self.handle = unsafe handle
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        setCallbacks()
    }

    deinit { unsafe mosquitto_destroy(handle) }

    // MARK: Connecting

    /// Opens the socket and sends the CONNECT. The answer arrives as an event, as does every
    /// failure after this returns. If it throws, there is no event.
    ///
    /// Also used to reconnect: the library resends messages that were published with QoS 1 and not
    /// yet confirmed. Acknowledgements held from the previous connection are dropped, since the
    /// broker redelivers those messages.
    public func connect() throws(MQTTError) {
        isConnected = false
        mayHaveMore = false
        batched = nil
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        var code = success
        if options.version == .v5, options.sessionExpiry > 0 {
            code = unsafe mosquitto_property_add_int32(
                &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue.signed,
                options.sessionExpiry)
        }
        if options.version == .v5, let maximum = options.packetMaximum, code == success {
            code = unsafe mosquitto_property_add_int32(
                &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue.signed, maximum)
        }
        if code == success {
            code = unsafe mosquitto_connect_bind_v5(
                handle, options.host, options.port, options.keepAlive, nil, properties)
        }
        guard code == success else { throw MQTTError(.connect, code: code) }
        _ = write()
    }

    /// Sends a DISCONNECT, so that the broker does not publish the will; call ``release()`` after
    /// it.
    public func disconnect() {
        unsafe mosquitto_disconnect_v5(handle, 0, nil)
    }

    // MARK: A round

    /// The socket, for programs that wait for many connections at once; -1 if there is none.
    public var fileDescriptor: Int32 { unsafe batched?.socket ?? mosquitto_socket(handle) }

    /// Whether there is something left to write that the socket has not accepted yet.
    public var wantsWrite: Bool {
        unsafe mosquitto_want_write(handle) || batched?.wantsWrite ?? false
    }

    /// Sleeps until there is something to read, room for unwritten data, the waker is woken, or the
    /// time is over.
    ///
    /// Does not sleep if the last ``receive(atMost:)`` stopped at its limit.
    ///
    /// - Parameter milliseconds: 0 checks without sleeping.
    public func wait(atMost milliseconds: Int32, waker: Waker? = nil) throws(MQTTError) {
        try Connection.wait(for: [self], atMost: milliseconds, waker: waker)
    }

    /// Sleeps until there is something to do for any of the connections.
    ///
    /// - Returns: the connections that have something to do.
    @discardableResult
    public static func wait(
        for connections: [Connection], atMost milliseconds: Int32, waker: Waker? = nil
    ) throws(MQTTError) -> [Int] {
        var entries = [
            pollfd(fd: waker?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
        ]
        for connection in connections {
            let events = Int16(POLLIN) | (connection.wantsWrite ? Int16(POLLOUT) : 0)
            entries.append(pollfd(fd: connection.fileDescriptor, events: events, revents: 0))
        }
        let mayHaveMore = connections.contains(where: \.mayHaveMore)
        let result = unsafe poll(&entries, nfds_t(entries.count), mayHaveMore ? 0 : milliseconds)
        guard result >= 0 || errno == EINTR else {
            throw MQTTError(.poll, code: MOSQ_ERR_ERRNO.rawValue)
        }
        if entries[0].revents != 0 { waker?.reset() }
        return connections.indices.filter {
            connections[$0].mayHaveMore || entries[$0 + 1].revents != 0
        }
    }

    /// Reads what is waiting, up to `limit` messages, and holds back the acknowledgements.
    ///
    /// A broken connection is reported as an event, not as an error: the messages read before it
    /// broke are still returned, and will be delivered again.
    public func receive(atMost limit: Int) -> [Message] {
        defer { inbox.removeAll(keepingCapacity: true) }
        // Before the broker has answered our CONNECT, no acknowledgements are held that writing
        // would release; with TLS the CONNECT itself is not sent before the end of the handshake.
        if !isConnected, wantsWrite { _ = write() }
        self.limit = limit
        let wasConnected = isConnected
        if let batched {
            receive(over: batched)
        } else {
            receiveFromLibrary()
            if !wasConnected, isConnected { beginBatching() }
        }
        mayHaveMore =
            (inbox.count >= limit || wasConnected != isConnected) && fileDescriptor >= 0
        return inbox
    }

    private func receiveFromLibrary() {
        let wasConnected = isConnected
        while inbox.count < limit, fileDescriptor >= 0 {
            progress = false
            errno = 0
            let code = unsafe mosquitto_loop_read(handle, 1)
            if code != success {
                noteDisconnected(MQTTError(.read, code: code))
                break
            }
            // The owner must learn that it is connected before it gets the first message.
            if !wasConnected, isConnected { break }
            // Only errno shows that the socket had nothing (more) to read.
            if !progress, errno == EAGAIN { break }
        }
    }

    /// Passes a message to the library; it is sent with the next ``release()``.
    ///
    /// - Parameter correlationData: up to 65,535 bytes. Like the response topic, it is dropped in
    ///   MQTT 3.1.1, which supports neither.
    /// - Returns: the identifier that the confirmation will have, for QoS 1. Identifiers repeat
    ///   after 65,535 messages, so no more than that may be unconfirmed at a time.
    @discardableResult
    public func publish(
        topic: String, payload: [UInt8], qos: QoS = .atMostOnce, retain: Bool = false,
        correlationData: [UInt8]? = nil, responseTopic: String? = nil
    ) throws(MQTTError) -> PublishID {
        // The library would truncate the topic at the zero byte.
        guard !topic.isEmpty, !topic.utf8.contains(0) else {
            throw MQTTError(.publish, code: MOSQ_ERR_INVAL.rawValue)
        }
        if let batched, qos != .exactlyOnce {
            let message = Message(
                topic: topic, payload: payload, qos: qos, retain: retain,
                responseTopic: responseTopic, correlationData: correlationData)
            if let identifier = try publish(message, over: batched) { return identifier }
        }
        var identifier: Int32 = 0
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        var code = success
        if options.version == .v5, let correlationData {
            code = unsafe mosquitto_property_add_binary(
                &properties, MQTT_PROP_CORRELATION_DATA.rawValue.signed, correlationData,
                UInt16(clamping: correlationData.count))
        }
        if options.version == .v5, let responseTopic, code == success {
            code = unsafe mosquitto_property_add_string(
                &properties, MQTT_PROP_RESPONSE_TOPIC.rawValue.signed, responseTopic)
        }
        if code == success {
            code = unsafe mosquitto_publish_v5(
                handle, &identifier, topic, Int32(payload.count), payload, qos.rawValue, retain,
                properties)
        }
        // If not connected, the library keeps messages of QoS 1 and sends them after the next
        // connect.
        guard code == success || (code == MOSQ_ERR_NO_CONN.rawValue && qos != .atMostOnce) else {
            throw MQTTError(.publish, code: code)
        }
        if qos != .atMostOnce { unanswered += 1 }
        return PublishID(rawValue: identifier)
    }

    /// Whether the broker accepts another message of QoS 1 now. If it has no room, the library
    /// holds the message back, while messages of QoS 0 published later overtake it.
    public var hasRoom: Bool { unanswered < min(sendMaximum, Connection.comfortable) }

    /// With each acknowledgement the library scans all messages in flight.
    private static let comfortable = 500

    /// Sends the held acknowledgements and then the published messages, as far as the socket
    /// accepts them; ``wantsWrite`` reports whether anything is left.
    public func release() throws(MQTTError) {
        if let error = write() { throw error }
    }

    private func write() -> MQTTError? {
        guard fileDescriptor >= 0 else { return nil }
        if let batched {
            return write(over: batched) ? nil : MQTTError(.write, code: MOSQ_ERR_CONN_LOST.rawValue)
        }
        isWriting = true
        let code = unsafe mosquitto_loop_write(handle, 1)
        isWriting = false
        guard code != success else { return nil }
        let error = MQTTError(.write, code: code)
        noteDisconnected(error)
        return error
    }

    /// A PINGRESP packet (MQTT 5, 3.13).
    private static let pingResponse: ArraySlice<UInt8> = [0xD0, 0]

    /// Sends the ping when it is due and detects a silent broker; call it once per second.
    public func maintain() {
        guard fileDescriptor >= 0 else { return }
        if let batched, batched.hasRead {
            batched.hasRead = false
            // The response to its ping may be queued behind much data that waits here. Any data
            // received also shows that the broker is alive.
            batched.hand(Connection.pingResponse) { letLibraryRead() }
        }
        let code = unsafe mosquitto_loop_misc(handle)
        guard code != success else { return }
        batched = nil
        noteDisconnected(MQTTError(.read, code: code))
    }

    /// Returns the events since the last call, in order.
    public func takeEvents() -> [Event] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }
}
