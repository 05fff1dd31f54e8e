internal import JSON

/// An entity of a member, as Home Assistant discovers it
/// (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
enum Entity: String, CaseIterable, Sendable {
    case position
    case sos
    case late
    case stuck
    case silent
    case offline
    case eta

    /// The platform, which is part of the topic.
    var component: String {
        switch self {
        case .position: "device_tracker"
        case .sos, .late, .stuck, .silent, .offline: "binary_sensor"
        case .eta: "sensor"
        }
    }

    private var name: String? {
        switch self {
        // Named like the member.
        case .position: nil
        case .sos: "SOS"
        case .late: "Late"
        case .stuck: "Stuck"
        case .silent: "Silent"
        case .offline: "Offline"
        case .eta: "Journey ETA"
        }
    }

    private var deviceClass: String? {
        switch self {
        case .position: nil
        case .sos: "safety"
        case .late, .stuck, .silent, .offline: "problem"
        case .eta: "timestamp"
        }
    }

    /// The payload of the discovery message.
    func configuration(of member: Exporter.Member, _ topics: ExporterTopics, version: String)
        -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("name")
            if let name { json.string(name) } else { json.null() }
            json.key("unique_id")
            json.string("\(topics.node)_\(member.user)_\(rawValue)")
            json.key("default_entity_id")
            let ending = self == .position ? "" : "_\(rawValue)"
            json.string("\(component).kith_\(member.user.replacing("-", with: "_"))\(ending)")
            switch self {
            case .position:
                json.key("json_attributes_topic")
                json.string(topics.state(.position, of: member.user))
                json.key("source_type")
                json.string("gps")
            case .sos, .late, .stuck, .silent, .offline, .eta:
                json.key("state_topic")
                json.string(topics.state(self, of: member.user))
            }
            if let deviceClass {
                json.key("device_class")
                json.string(deviceClass)
            }
            json.key("availability_topic")
            json.string(topics.availability)
            json.key("qos")
            json.number(1)
            json.key("device")
            json.object { json in
                json.key("identifiers")
                json.array(["\(topics.node)_\(member.user)"]) { $0.string($1) }
                json.key("name")
                json.string(member.name)
                json.key("manufacturer")
                json.string("Kith")
            }
            json.key("origin")
            json.object { json in
                json.key("name")
                json.string("Kith")
                json.key("sw_version")
                json.string(version)
            }
        }
    }
}
