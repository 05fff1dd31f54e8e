/// A simple reading of the access table, independent of the code that decides: what must never be
/// allowed.
enum GateReading {
    /// Who a client is, according to its token.
    enum Party: Equatable {
        case bridge
        case device(String, of: String)
        case guest(String)
        /// Away since before the broker was started.
        case absent(String)
    }

    /// The user that a client id belongs to by its form, whether or not the user and device exist.
    static func deviceOwner(_ id: String) -> String? {
        let words = id.split(separator: ".", omittingEmptySubsequences: false)
        let name = /[a-z0-9][a-z0-9_-]{1,31}/
        guard words.count == 2, words.allSatisfy({ $0.wholeMatch(of: name) != nil }) else {
            return nil
        }
        return String(words[0])
    }

    /// Whether the topic is not plainly another user's.
    static func mayReceive(_ topic: String, _ party: Party) -> Bool {
        let levels = levels(topic)
        guard levels.count > 1 else { return false }
        if levels[0] == "owntracks" { return isUser(levels[1], party) || party == .bridge }
        guard levels[0] == "kith", levels.count > 2 else { return false }
        let owner = levels[2]
        switch levels[1] {
        case "users":
            guard levels.count > 3 else { return false }
            switch levels[3] {
            case "devices":
                guard levels.count > 5 else { return false }
                if party == .bridge {
                    return ["fix", "status", "requests"].contains(levels[5])
                }
                // An absent client is checked again when its device is known.
                return isDevice(levels[4], of: owner, party) || isAbsent(owner, party)
            case "location":
                return isUser(owner, party) || party == .bridge
                    || (owner == "borys" && isUser("annika", party))
            case "groups": return isUser(owner, party) || party == .bridge
            case "notices": return isUser(owner, party)
            default: return false
            }
        case "groups":
            return party == .bridge
                || members(owner).contains { isUser(Substring($0), party) }
        case "guests":
            return party == .guest(String(owner))
                || (party == .bridge && levels.count > 3 && levels[3] == "requests")
        case "system", "bridge": return party == .bridge
        default: return false
        }
    }

    static func mayPublish(_ topic: String, _ party: Party) -> Bool {
        let levels = levels(topic)
        switch party {
        case .bridge: return levels[0] == "kith" || levels[0] == "owntracks"
        case .absent: return false
        case .guest(let id):
            return levels.count == 5 && levels[..<2] == ["kith", "guests"]
                && levels[2].utf8.elementsEqual(id.utf8) && levels[3] == "requests"
        case .device(let device, let user):
            if levels[0] == "owntracks" {
                return (3...4).contains(levels.count) && levels[1] == user
                    && levels[2].lowercased() == device
            }
            return levels.count > 5 && levels[..<2] == ["kith", "users"] && levels[2] == user
                && levels[3] == "devices" && levels[4] == device
                && ["fix", "status", "requests"].contains(levels[5])
        }
    }

    /// According to MQTT (5.0, 4.7).
    static func matches(_ filter: String, _ topic: String) -> Bool {
        let (filter, topic) = (levels(filter), levels(topic))
        for (index, level) in filter.enumerated() {
            if level == "#" { return index == filter.count - 1 }
            guard index < topic.count, level == "+" || level == topic[index] else { return false }
        }
        return filter.count == topic.count
    }

    private static func levels(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func members(_ group: Substring) -> [String] {
        switch group {
        case Substring(GateTown.family): ["annika", "borys"]
        case Substring(GateTown.work): ["celine"]
        default: []
        }
    }

    private static func isUser(_ name: Substring, _ party: Party) -> Bool {
        switch party {
        case .device(_, let user), .absent(let user): name == user
        case .bridge, .guest: false
        }
    }

    private static func isDevice(_ device: Substring, of user: Substring, _ party: Party) -> Bool {
        party == .device(String(device), of: String(user))
    }

    private static func isAbsent(_ user: Substring, _ party: Party) -> Bool {
        party == .absent(String(user))
    }
}
