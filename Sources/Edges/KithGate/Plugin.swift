internal import CMosquittoBroker
internal import Contract
internal import Gate
internal import Glibc
internal import ProcessFigures
internal import Sealing
internal import Store
internal import Tracking

/// The entry points that Mosquitto finds in this library: the broker asks, and the ``Gatekeeper``
/// answers. Everything here runs on the broker's only thread.
///
/// For the order of its calls see `mosquitto_plugin.h` and docs/reference.md.
@_cdecl("mosquitto_plugin_version")
public func pluginVersion(_ count: Int32, _ versions: UnsafePointer<Int32>?) -> Int32 {
    guard let versions = unsafe versions, count > 0 else { return -1 }
    let offered = unsafe UnsafeBufferPointer(start: versions, count: Int(count))
    return unsafe offered.contains(interfaceVersion) ? interfaceVersion : -1
}

private let interfaceVersion: Int32 = 5
/// The answer to a callback without its plugin.
private let withoutPlugin: Int32 = MOSQ_ERR_INVAL.rawValue

@_cdecl("mosquitto_plugin_init")
public func pluginInit(
    _ identifier: OpaquePointer?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ options: UnsafeMutableRawPointer?, _ count: Int32
) -> Int32 {
    let values = unsafe Options.read(options, count)
    guard let database = values["database"] else {
        unsafe mosquitto_log_text(
            Int32(MOSQ_LOG_ERR), "kith: the option plugin_opt_database is missing.")
        return MOSQ_ERR_INVAL.rawValue
    }
    let topics = values["root"].map { TopicSpace(root: $0) } ?? TopicSpace()
    var settings = GateSettings(topics: topics)
    settings.awaitsBridge = values["await_bridge"] != "false"
    if values["hold_acknowledgements"] != "false" {
        settings.holdsAcknowledgements = HeldSocket.isSupported()
        if !settings.holdsAcknowledgements {
            unsafe mosquitto_log_text(
                Int32(MOSQ_LOG_ERR),
                "kith: acknowledgements do not wait for the bridge: this kernel cannot hold them.")
        }
    }
    settings.run = "\(Plugin.wall.milliseconds)"
    let plugin = Plugin(settings, database: database)
    if let text = values["patience"], let seconds = UInt16(text) {
        plugin.patience = .seconds(Int(seconds))
    }
    let proxies = values["proxies"]?.split(separator: ",") ?? []
    plugin.sockets.pending.limits.proxies = Set(
        proxies.map { NetworkAddress($0.filter { $0 != " " }) })
    unsafe context?.pointee = Unmanaged.passRetained(plugin).toOpaque()
    return unsafe plugin.register(identifier)
}

@_cdecl("mosquitto_plugin_cleanup")
public func pluginCleanup(
    _ context: UnsafeMutableRawPointer?, _ options: UnsafeMutableRawPointer?, _ count: Int32
) -> Int32 {
    if let context = unsafe context { unsafe Unmanaged<Plugin>.fromOpaque(context).release() }
    return MOSQ_ERR_SUCCESS.rawValue
}

/// The `plugin_opt_…` lines of the broker's configuration.
private enum Options {
    static func read(_ options: UnsafeMutableRawPointer?, _ count: Int32) -> [String: String] {
        guard let options = unsafe options, count > 0 else { return [:] }
        let entries = unsafe UnsafeBufferPointer(
            start: options.assumingMemoryBound(to: mosquitto_opt.self), count: Int(count))
        var values: [String: String] = [:]
        for index in entries.indices {
            guard let key = unsafe entries[index].key, let value = unsafe entries[index].value
            else { continue }
            unsafe values[String(cString: key)] = unsafe String(cString: value)
        }
        return values
    }
}

/// The gatekeeper, and the broker's callbacks that query it.
@safe
final class Plugin {
    let gatekeeper: Gatekeeper
    /// The time that a peer may accept no data; `plugin_opt_patience`, in seconds.
    var patience = Duration.seconds(60)
    private var hasSeenListeners = false
    var sockets = Sockets()
    private var packetMaxima = PacketMaxima()
    private var alarm = Alarm()
    var sealer: EnvelopeSealer?

    init(_ settings: GateSettings, database path: String) {
        gatekeeper = Gatekeeper(settings) { () throws(AccessSourceError) in
            try StoredAccess(path: path)
        }
        gatekeeper.ofProcess = { ProcessFigures().metrics(of: .broker) }
    }

    private typealias Callback =
        @convention(c) (Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32

    /// - Returns: the broker's error code if it rejected a callback.
    func register(_ identifier: OpaquePointer?) -> Int32 {
        let codes = unsafe [
            register(identifier, MOSQ_EVT_BASIC_AUTH) {
                unsafe Plugin.of($2)?.connect($1) ?? withoutPlugin
            },
            register(identifier, MOSQ_EVT_ACL_CHECK) {
                unsafe Plugin.of($2)?.check($1) ?? withoutPlugin
            },
            register(identifier, MOSQ_EVT_MESSAGE) {
                unsafe Plugin.of($2)?.message($1) ?? withoutPlugin
            },
            register(identifier, MOSQ_EVT_DISCONNECT) {
                unsafe Plugin.of($2)?.disconnect($1) ?? withoutPlugin
            },
            register(identifier, MOSQ_EVT_TICK) { unsafe Plugin.of($2)?.tick() ?? withoutPlugin },
        ]
        return codes.first { $0 != MOSQ_ERR_SUCCESS.rawValue } ?? MOSQ_ERR_SUCCESS.rawValue
    }

    private func register(
        _ identifier: OpaquePointer?, _ event: mosquitto_plugin_event,
        _ callback: @escaping Callback
    ) -> Int32 {
        unsafe mosquitto_callback_register(
            identifier, Int32(event.rawValue), callback, nil,
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Returns: nil if the broker passes none, although it was given one with each callback.
    private static func of(_ context: UnsafeMutableRawPointer?) -> Plugin? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Plugin>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Callbacks

    private func connect(_ data: UnsafeMutableRawPointer?) -> Int32 {
        guard
            let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_basic_auth.self)
                .pointee, let client = unsafe event.client
        else { return MOSQ_ERR_AUTH.rawValue }
        let introduction = unsafe Gatekeeper.Introduction(
            clientID: Plugin.text(mosquitto_client_id(client)) ?? "",
            username: Plugin.text(event.username), password: Plugin.text(event.password),
            address: Plugin.text(mosquitto_client_address(client)) ?? "",
            isContinued: !mosquitto_client_clean_session(client),
            mayKeepNewSession: mosquitto_client_protocol_version(client) >= 5,
            packetMaximum: packetMaxima.announced(by: client))
        // A text that is not valid UTF-8 is not the same as no text.
        let hasUsername = unsafe event.username != nil
        let hasPassword = unsafe event.password != nil
        let isReadable =
            hasUsername == (introduction.username != nil)
            && hasPassword == (introduction.password != nil)
        let verdict: Gatekeeper.Verdict =
            isReadable
            ? gatekeeper.connect(introduction, as: UInt(bitPattern: client), at: Plugin.now)
            : .refused
        if verdict == .allowed { unsafe take(client) }
        performOrders()
        return switch verdict {
        case .allowed: MOSQ_ERR_SUCCESS.rawValue
        case .refused: MOSQ_ERR_AUTH.rawValue
        // With any other code the broker closes the connection without an answer.
        case .cutOff: MOSQ_ERR_UNKNOWN.rawValue
        }
    }

    private func take(_ client: OpaquePointer) {
        let isWebSocket =
            unsafe mosquitto_client_protocol(client) == Int32(mp_websockets.rawValue)
        sockets.add(UInt(bitPattern: client), isWebSocket: isWebSocket)
        guard let number = gatekeeper.packetMaximum(ofBridge: UInt(bitPattern: client)),
            let line = unsafe packetMaxima.learn(from: client, number)
        else { return }
        perform(.log(line))
    }

    private func check(_ data: UnsafeMutableRawPointer?) -> Int32 {
        guard
            let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_acl_check.self)
                .pointee, let client = unsafe event.client,
            let topic = unsafe Plugin.text(event.topic)
        else { return MOSQ_ERR_ACL_DENIED.rawValue }
        let verdict = unsafe verdict(
            event, topic, UInt(bitPattern: client),
            absentee: {
                unsafe Gatekeeper.Absentee(
                    clientID: Plugin.text(mosquitto_client_id(client)) ?? "",
                    username: Plugin.text(mosquitto_client_username(client)))
            })
        performOrders()
        return switch verdict {
        case .allowed: MOSQ_ERR_SUCCESS.rawValue
        case .refused: MOSQ_ERR_ACL_DENIED.rawValue
        // Any other code closes the connection without an acknowledgement.
        case .cutOff: MOSQ_ERR_UNKNOWN.rawValue
        }
    }

    private func verdict(
        _ event: mosquitto_evt_acl_check, _ topic: String, _ client: Gatekeeper.Client,
        absentee: () -> Gatekeeper.Absentee
    ) -> Gatekeeper.Verdict {
        let access = unsafe event.access
        switch access {
        case MOSQ_ACL_READ:
            let message = unsafe Gatekeeper.Delivery(
                topic: topic, size: Int(event.payloadlen), qos: Int(event.qos),
                // With MQTT 5 the message is delivered once per matching filter.
                isOnce: mosquitto_client_protocol_version(event.client) < 5)
            let isAllowed = gatekeeper.mayReceive(
                message, client,
                payload: unsafe Plugin.bytes(event.payload, Int(event.payloadlen)),
                absentee: absentee(), at: Plugin.now)
            return isAllowed ? .allowed : .refused
        case MOSQ_ACL_WRITE:
            return unsafe gatekeeper.publish(
                topic, size: Int(event.payloadlen),
                objects: Plugin.objects(event.payload, Int(event.payloadlen)),
                retained: event.retain, qos: Int(event.qos),
                payload: Plugin.bytes(event.payload, Int(event.payloadlen)), by: client,
                at: Plugin.now)
        case MOSQ_ACL_SUBSCRIBE:
            return unsafe gatekeeper.subscribe(
                topic, qos: Int(event.qos), by: client, at: Plugin.now)
        case MOSQ_ACL_UNSUBSCRIBE:
            return gatekeeper.unsubscribe(topic, by: client, at: Plugin.now)
        default: return .refused
        }
    }

    /// The broker asks before it retains or forwards a message that may be published.
    private func message(_ data: UnsafeMutableRawPointer?) -> Int32 {
        unsafe stampCall(data)
        if let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self).pointee,
            unsafe event.qos == 0, let client = unsafe event.client,
            let topic = unsafe Plugin.text(event.topic),
            gatekeeper.isRaised(topic, by: UInt(bitPattern: client)),
            unsafe raise(event, topic)
        {
            // The raised message replaces it; a rejected QoS 0 message is not reported to the
            // client.
            return MOSQ_ERR_ACL_DENIED.rawValue
        }
        unsafe noteProperties(data)
        unsafe seal(data)
        if let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_message.self),
            unsafe event.pointee.retain, let client = unsafe event.pointee.client,
            let topic = unsafe Plugin.text(event.pointee.topic)
        {
            unsafe event.pointee.retain =
                gatekeeper.mayRetain(topic, by: UInt(bitPattern: client))
        }
        return MOSQ_ERR_SUCCESS.rawValue
    }

    private func disconnect(_ data: UnsafeMutableRawPointer?) -> Int32 {
        if let event = unsafe data?.assumingMemoryBound(to: mosquitto_evt_disconnect.self).pointee,
            let client = unsafe event.client
        {
            sockets.remove(UInt(bitPattern: client))
            gatekeeper.disconnect(UInt(bitPattern: client), at: Plugin.now)
            performOrders()
        }
        return MOSQ_ERR_SUCCESS.rawValue
    }

    private func tick() -> Int32 {
        // When the plugin is initialised there are no listeners yet.
        if !hasSeenListeners {
            hasSeenListeners = true
            Listeners.endDeafConnections(after: patience)
            sockets.setPatience(patience)
        }
        let now = Plugin.now
        for (client, figures) in sockets.tick(at: now) {
            gatekeeper.measure(client, figures, at: now)
        }
        gatekeeper.notePendingEnded(sockets.endPending(at: now))
        gatekeeper.tick(at: now)
        performOrders()
        if gatekeeper.isPausing { alarm.set(at: now) }
        return MOSQ_ERR_SUCCESS.rawValue
    }
}
