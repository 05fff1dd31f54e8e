import JSON

/// The gate's report, from inside the broker, to the bridge on ``Topic/connections``: who is
/// connected.
public enum ConnectionReport: Hashable, Sendable {
    /// The party opened its first connection.
    case connected(Party)
    /// The party's last connection ended.
    case disconnected(Party)
    /// Several parties connected or disconnected; each is in one of the lists, according to its
    /// present state.
    case changed(connected: [Party], disconnected: [Party])
    /// All currently connected parties, in as many messages as necessary; sent when the bridge
    /// subscribes. It replaces all previous reports.
    ///
    /// `gate`: the gate's version, for people; nil for a gate that does not report it yet.
    case all([Party], isFirst: Bool, isLast: Bool, gate: String? = nil)

    public enum Party: Hashable, Sendable {
        case device(Name, of: Name)
        /// `address`: the client's address, as the broker sees it.
        case guest(ClientID, address: String)
        /// The account `kith:dispatch`.
        case dispatch
    }

    /// The number of parties in one message, which keeps it far below 64 KiB.
    public static let pageLength = 300

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("event")
            switch self {
            case .connected(let party):
                json.string("connected")
                json.key("party")
                json.party(party)
            case .disconnected(let party):
                json.string("disconnected")
                json.key("party")
                json.party(party)
            case .changed(let connected, let disconnected):
                json.string("changed")
                json.key("connected")
                json.array(connected) { json, party in json.party(party) }
                json.key("disconnected")
                json.array(disconnected) { json, party in json.party(party) }
            case .all(let parties, let isFirst, let isLast, let gate):
                json.string("all")
                json.key("isFirst")
                json.bool(isFirst)
                json.key("isLast")
                json.bool(isLast)
                if let gate {
                    json.key("gate")
                    json.string(gate)
                }
                // Separate from the others, since earlier bridges reject a list with an unknown
                // party.
                json.key("dispatch")
                json.bool(parties.contains(.dispatch))
                json.key("parties")
                json.array(parties.filter { $0 != .dispatch }) { $0.party($1) }
            }
        }
    }

    /// - Throws: `malformed` or `invalid`.
    public init(_ payload: [UInt8]) throws(Problem) {
        let value: JSONValue
        do { value = try JSONValue.parse(payload) } catch { throw Problem(error) }
        var fields = try Fields(value)
        let report: ConnectionReport?
        switch fields.string("event") {
        case "connected":
            report = fields.nested("party") { $0.party() }.map { .connected($0) }
        case "disconnected":
            report = fields.nested("party") { $0.party() }.map { .disconnected($0) }
        case "changed":
            report = .changed(
                connected: fields.parties("connected"),
                disconnected: fields.parties("disconnected"))
        case "all":
            let isFirst = fields.bool(ifPresent: "isFirst") ?? false
            let isLast = fields.bool(ifPresent: "isLast") ?? false
            let dispatch: [ConnectionReport.Party] =
                fields.bool(ifPresent: "dispatch") == true ? [.dispatch] : []
            report = .all(
                dispatch + fields.parties("parties"), isFirst: isFirst, isLast: isLast,
                gate: fields.string(ifPresent: "gate"))
        default:
            fields.refuse("event", "is unknown")
            report = nil
        }
        try fields.check()
        guard let report else { throw .incomplete }
        self = report
    }
}

extension ConnectionReport.Party: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: (String, String) {
        switch self {
        case .device(let device, let user): (user.text, device.text)
        case .guest(let client, let address): (client.text, address)
        case .dispatch: ("", "")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func party(_ party: ConnectionReport.Party) {
        object { json in
            switch party {
            case .device(let device, let user):
                json.key("user")
                json.string(user.text)
                json.key("device")
                json.string(device.text)
            case .guest(let client, let address):
                json.key("guest")
                json.string(client.text)
                json.key("address")
                json.string(address)
            case .dispatch:
                json.key("dispatch")
                json.bool(true)
            }
        }
    }
}

extension Fields {
    fileprivate mutating func party() -> ConnectionReport.Party? {
        if bool(ifPresent: "dispatch") == true { return .dispatch }
        guard self["guest"] != nil else {
            let (user, device) = (name("user"), name("device"))
            guard let user, let device else { return nil }
            return .device(device, of: user)
        }
        let (text, address) = (string("guest"), string("address"))
        guard let text, let address else { return nil }
        guard let client = ClientID(text) else {
            refuse("guest", "is not a client id")
            return nil
        }
        return .guest(client, address: address)
    }

    fileprivate mutating func parties(_ key: String) -> [ConnectionReport.Party] {
        guard case .array(let elements) = self[key] else {
            refuse(key, "must be a list")
            return []
        }
        var parties: [ConnectionReport.Party] = []
        for element in elements {
            do {
                var fields = try Fields(element, prefix: "\(key).")
                if let party = fields.party() { parties.append(party) }
                try fields.check()
            } catch {
                refuse(key, "contains an entry that cannot be read")
                return []
            }
        }
        return parties
    }
}
