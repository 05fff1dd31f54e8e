internal import CMosquitto

/// The work that a batched connection does itself: plain messages in both directions, and their
/// acknowledgements.
extension Connection {
    /// To be called after the broker has accepted the connection, when the library has read all of
    /// its CONNACK.
    func beginBatching() {
        guard options.isBatched, options.tls == nil else { return }
        batched = BatchedSocket(replacing: unsafe mosquitto_socket(handle))
    }

    // MARK: Reading

    /// Reads the waiting messages, up to the limit.
    func receive(over batched: BatchedSocket) {
        while inbox.count < limit, isConnected {
            if let packet = batched.packets.next() {
                take(packet, batched)
                continue
            }
            switch batched.packets.read(from: batched.socket) {
            case .some: batched.hasRead = true
            case .nothing: return
            case .end: return end(batched)
            }
        }
    }

    private func take(_ packet: PacketBuffer.Packet, _ batched: BatchedSocket) {
        let isTaken =
            switch packet.kind {
            case kindOfPublish: takeMessage(packet, batched)
            case kindOfAnswer: takeAnswer(packet, batched)
            default: false
            }
        guard !isTaken else { return }
        batched.hand(batched.packets[packet.whole]) { letLibraryRead() }
        // The library's acknowledgements take their place among the others.
        collect(batched, into: &batched.acknowledgements)
        if unsafe mosquitto_socket(handle) < 0 { self.batched = nil }
    }

    /// - Returns: whether the message was handled here: it has no properties, and its topic is
    ///   ASCII.
    private func takeMessage(_ packet: PacketBuffer.Packet, _ batched: BatchedSocket) -> Bool {
        let flow = batched.packets
        guard let qos = QoS(rawValue: Int32(packet.head >> 1 & 3)), qos != .exactlyOnce,
            packet.body.count >= 2
        else { return false }
        let length = flow.number(at: packet.body.lowerBound)
        let topic = packet.body.dropFirst(2).prefix(length)
        let (identifier, properties) = (qos.rawValue > 0 ? 2 : 0, options.version == .v5 ? 1 : 0)
        var index = topic.upperBound
        guard length > 0, topic.count == length,
            index + identifier + properties <= packet.body.upperBound,
            flow[topic].allSatisfy({ (0x20...0x7E).contains($0) })
        else { return false }
        let packetID = identifier == 0 ? 0 : UInt16(flow.number(at: index))
        index += identifier
        guard properties == 0 || flow[index] == 0, identifier == 0 || packetID > 0
        else { return false }
        index += properties
        noteReceived(
            Message(
                topic: String(decoding: flow[topic], as: UTF8.self),
                payload: Array(flow[index..<packet.body.upperBound]), qos: qos,
                retain: packet.head & 1 == 1, packetID: packetID))
        if qos == .atLeastOnce {
            batched.acknowledgements += [
                kindOfAnswer << 4, 2, UInt8(packetID >> 8), UInt8(packetID & 0xFF),
            ]
        }
        return true
    }

    /// - Returns: whether it acknowledges a message that we sent ourselves.
    private func takeAnswer(_ packet: PacketBuffer.Packet, _ batched: BatchedSocket) -> Bool {
        guard packet.body.count >= 2 else { return false }
        let index = packet.body.lowerBound
        let identifier = UInt16(batched.packets.number(at: index))
        guard batched.giveBack(identifier) else { return false }
        let code = packet.body.count > 2 ? Int32(batched.packets[index + 2]) : 0
        noteAnswered(Int32(identifier), code: code)
        let room = sendMaximum - (unanswered - batched.waiting.count)
        for message in batched.waiting.prefix(max(0, room)) { batched.outgoing += message }
        batched.waiting.removeFirst(min(max(0, room), batched.waiting.count))
        return true
    }

    // MARK: Writing

    /// - Returns: the identifier that the confirmation will have; nil if the message is left to the
    ///   library.
    func publish(
        _ message: Message, over batched: BatchedSocket
    ) throws(MQTTError) -> PublishID? {
        let length = message.topic.utf8.count
        guard length <= Int(UInt16.max), unsafe mosquitto_pub_topic_check(message.topic) == success,
            unsafe mosquitto_validate_utf8(message.topic, Int32(clamping: length)) == success
        else { return nil }
        let isConfirmed = message.qos == .atLeastOnce
        let identifier = isConfirmed ? batched.takeIdentifier() : nil
        guard identifier != nil || !isConfirmed else { throw .tooManyUnconfirmed }
        let packet = message.packet(identifier, options.version)
        guard packet.count <= packetMaximum else {
            _ = identifier.map { batched.giveBack($0) }
            throw .tooLarge
        }
        guard let identifier else {
            batched.outgoing += packet
            return PublishID(rawValue: 0)
        }
        // If the broker has no room, the message waits, while messages of QoS 0 overtake it.
        if unanswered < sendMaximum, batched.waiting.isEmpty {
            batched.outgoing += packet
        } else {
            batched.waiting.append(packet)
        }
        unanswered += 1
        return PublishID(rawValue: Int32(identifier))
    }

    /// - Returns: false if the connection is broken.
    func write(over batched: BatchedSocket) -> Bool {
        collect(batched, into: &batched.outgoing)
        if unsafe mosquitto_socket(handle) < 0 { batched.isEnding = true }
        guard batched.write() else {
            end(batched)
            return false
        }
        if batched.isEnding, !batched.wantsWrite { self.batched = nil }
        return true
    }

    // MARK: The library

    func letLibraryRead() {
        let code = unsafe mosquitto_loop_read(handle, 1)
        if code != success { noteDisconnected(MQTTError(.read, code: code)) }
    }

    private func collect(_ batched: BatchedSocket, into bytes: inout [UInt8]) {
        if unsafe mosquitto_want_write(handle) {
            isWriting = true
            _ = unsafe mosquitto_loop_write(handle, 1)
            isWriting = false
        }
        batched.collect(into: &bytes)
    }

    /// Handles a lost connection to the broker: closing the library's socket makes the library
    /// notice.
    private func end(_ batched: BatchedSocket) {
        self.batched = nil
        batched.closeInside()
        letLibraryRead()
        noteDisconnected(MQTTError(.read, code: MOSQ_ERR_CONN_LOST.rawValue))
    }
}

extension Message {
    /// Returns the message as a PUBLISH packet (MQTT 5, 3.3).
    fileprivate func packet(_ identifier: UInt16?, _ version: ConnectionOptions.Version)
        -> [UInt8]
    {
        var properties: [UInt8] = []
        if version == .v5 {
            if let correlationData {
                properties.append(UInt8(MQTT_PROP_CORRELATION_DATA.rawValue))
                properties.appendCounted(correlationData)
            }
            if let responseTopic {
                properties.append(UInt8(MQTT_PROP_RESPONSE_TOPIC.rawValue))
                properties.appendCounted(responseTopic.utf8)
            }
        }
        var section: [UInt8] = []
        if version == .v5 {
            section.appendLength(properties.count)
            section += properties
        }
        let topic = topic.utf8
        let length = 2 + topic.count + (identifier == nil ? 0 : 2) + section.count + payload.count
        var packet: [UInt8] = []
        packet.reserveCapacity(length + 5)
        packet.append(kindOfPublish << 4 | UInt8(qos.rawValue) << 1 | (retain ? 1 : 0))
        packet.appendLength(length)
        packet.appendCounted(topic)
        if let identifier { packet += [UInt8(identifier >> 8), UInt8(identifier & 0xFF)] }
        packet += section
        packet += payload
        return packet
    }
}

extension [UInt8] {
    /// Appends a variable byte integer (MQTT 5, 1.5.5).
    fileprivate mutating func appendLength(_ length: Int) {
        var rest = length
        repeat {
            append(UInt8(rest & 127) | (rest > 127 ? 128 : 0))
            rest >>= 7
        } while rest > 0
    }

    /// Appends the bytes, preceded by their count in two bytes; excess bytes are dropped.
    fileprivate mutating func appendCounted(_ bytes: some Collection<UInt8>) {
        let bytes = bytes.prefix(Int(UInt16.max))
        self += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        self += bytes
    }
}

private let kindOfPublish: UInt8 = 3
private let kindOfAnswer: UInt8 = 4
