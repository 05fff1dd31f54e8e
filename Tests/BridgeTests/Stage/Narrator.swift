import Contract
import JSON
import MQTT
import Tracking

@testable import Bridge

/// The publications that a story includes.
struct Shown: OptionSet {
    let rawValue: Int
    static let groups = Shown(rawValue: 1)
    static let states = Shown(rawValue: 2)
    static let positions = Shown(rawValue: 4)
    static let paths = Shown(rawValue: 8)
    static let alerts = Shown(rawValue: 16)
    static let notices = Shown(rawValue: 32)
    static let replies = Shown(rawValue: 64)
    static let receipts = Shown(rawValue: 128)
    static let maps = Shown(rawValue: 256)
    static let chats = Shown(rawValue: 512)
    static let locations = Shown(rawValue: 1024)
    static let unread = Shown(rawValue: 2048)
    /// Everything except the chats, with their presence notes, and the unread counts.
    static let everything = Shown(rawValue: 511 + 1024)
}

/// Describes publications in words: the topic in short form, and the relevant part of the payload.
struct Narrator {
    let topics: TopicSpace
    let names: GroupNames

    /// Nil if it is not to be shown.
    func words(for publication: Publication, _ shown: Shown) -> String? {
        guard let topic = topics.parse(publication.topic), shown.contains(kind(topic, publication))
        else { return nil }
        let payload = JSONValue.read(publication.payload)
        let isGone = publication.payload.isEmpty
        switch topic {
        case .userGroups(let user):
            let groups = payload.elements.map { $0["name"]?.text ?? "?" }
            return "\(user)'s groups: "
                + (isGone ? "gone" : groups.isEmpty ? "none" : groups.joined(separator: ", "))
        case .group(let key):
            let members = (payload["members"]?.elements ?? []).map { $0["user"]?.text ?? "?" }
            let name = payload["name"]?.text ?? "?"
            let other = isGone || name.lowercased() == group(key) ? "" : " (\(name))"
            return "\(group(key))\(other): " + (isGone ? "gone" : members.joined(separator: ", "))
        case .member(let key, let user):
            return "\(group(key)) sees \(user)" + (isGone ? ": gone" : state(payload, publication))
        case .path(let key, let user, let number):
            return "\(group(key)) sees \(user)'s path \(number): "
                + (isGone ? "gone" : segment(payload))
        case .alerts(let key): return "\(group(key)) alert: \(alert(payload))"
        case .listed(.chat, let names):
            return "\(names.group.map(group) ?? "?") chat: \(chat(payload))"
        case .notices(let user): return "\(user) notice: \(notice(payload))"
        case .listed(.unread, let names):
            let count = isGone ? "none" : "\(payload["notices"]?.integer ?? -1)"
            let others = ["alerts", "chat"].compactMap { key in
                payload[key]?.integer.flatMap { $0 > 0 ? ", \(key): \($0)" : nil }
            }
            return "\(names.user?.text ?? "?") has unread: \(count)\(others.joined())"
        case .location(let user):
            let place = payload.fixMeters.map { "at \($0) m" } ?? "?"
            return "\(user)'s location\(publication.qos == .atMostOnce ? "" : ":") "
                + (isGone ? "gone" : place)
        case .replies(let user, let device, let suffix):
            return "\(user)/\(device) reply\(suffix): \(payload.outcome)"
        case .stored(let user, let device):
            return "\(user)/\(device) stored \(payload["seq"]?.integer ?? -1)"
        case .rejected(let user, let device):
            let numbers = (payload["seq"]?.elements ?? []).compactMap(\.integer)
            return "\(user)/\(device) rejected: \(payload["problem"]?.problemWords ?? "?")"
                + (numbers.isEmpty ? "" : ", seq \(numbers)")
        case .ownTracksMember(let viewer, let member, let suffix):
            return "\(viewer)'s map\(suffix.isEmpty ? "" : " \(suffix)"): \(member) "
                + (isGone ? "gone" : view(payload))
        default: return "\(publication.topic): " + (isGone ? "gone" : "?")
        }
    }

    private func kind(_ topic: Topic, _ publication: Publication) -> Shown {
        switch topic {
        case .userGroups, .group: .groups
        case .member: publication.qos == .atMostOnce ? .positions : .states
        case .path: .paths
        case .alerts: .alerts
        case .listed(.chat, _): .chats
        case .notices: .notices
        case .listed(.unread, _): .unread
        case .replies: .replies
        case .stored, .rejected: .receipts
        case .ownTracksMember: .maps
        case .location: .locations
        default: .everything
        }
    }

    private func group(_ key: GroupKey) -> String { names.name(of: key) ?? "?" }

    /// Adds a colon after the version if the message must not be lost.
    private func state(_ state: JSONValue, _ publication: Publication) -> String {
        var words: [String] = []
        let isUrgent = publication.qos != .atMostOnce
        if isUrgent {
            words.append(state["state"]?.text ?? "?")
            if state["online"] == .bool(false) { words.append("not online") }
            if state["leftAt"] != nil { words.append("left") }
        }
        words.append(state["fix"]?.fixMeters.map { "at \($0) m" } ?? "nowhere")
        let warnings = (state["warnings"]?.elements ?? []).compactMap(\.text)
        if !warnings.isEmpty { words.append("warnings " + warnings.joined(separator: " ")) }
        return " v\(state["version"]?.integer ?? -1)\(isUrgent ? ":" : "") "
            + words.joined(separator: ", ")
    }

    private func segment(_ segment: JSONValue) -> String {
        let meters = segment.segmentMeters
        let places =
            meters.count > 3
            ? "\(meters[0]) … \(meters[meters.count - 1])"
            : meters.map(String.init).joined(separator: " ")
        return "\(segment["mode"]?.text ?? "?"), \(meters.count) points: \(places)"
    }

    private func alert(_ alert: JSONValue) -> String {
        var words = "\(alert["user"]?.text ?? "?") \(alert["kind"]?.text ?? "?")"
        if let meters = alert["fix"]?.fixMeters { words += " at \(meters) m" }
        if let again = alert["repetition"]?.integer { words += ", repetition \(again)" }
        let seen = (alert["acknowledgedBy"]?.elements ?? []).compactMap(\.text)
        return seen.isEmpty ? words : words + ", seen by \(seen.joined(separator: ", "))"
    }

    private func chat(_ message: JSONValue) -> String {
        let who = message["from"]?.text ?? "somebody"
        guard message["kind"] == .string("message") else {
            return "\(who) \(message["kind"]?.text ?? "?")"
        }
        return "\(who): \(message["text"]?.text ?? "–")"
    }

    private func notice(_ notice: JSONValue) -> String {
        let who = notice["by"]?.text.map { " by \($0)" } ?? ""
        return "\(notice["kind"]?.text ?? "?") \(notice["name"]?.text ?? "?")\(who)"
    }

    private func view(_ view: JSONValue) -> String {
        switch view["_type"]?.text {
        case "location":
            let meters = view["lat"]?.number.map { Meridian.meters(latitude: $0) } ?? -1
            return "at \(meters) m, \(view["state"]?.text ?? "?")"
        case "card": return "is “\(view["name"]?.text ?? "?")”"
        case "transition": return "\(view["event"]?.text ?? "?")s “\(view["desc"]?.text ?? "?")”"
        default: return "?"
        }
    }
}
