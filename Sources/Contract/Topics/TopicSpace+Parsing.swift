extension TopicSpace {
    /// Nil for whatever is not a topic of the contract: a level too many or too few, a name that
    /// is not one, another root.
    public func parse(_ text: String) -> Topic? {
        guard text.utf8.count <= TopicSpace.maximumLength else { return nil }
        let all = TopicLevels(text).levels
        if all.first == TopicSpace.ownTracksRoot[...] { return ownTracks(all.dropFirst()) }
        guard all.starts(with: levels) else { return nil }
        let rest = all.dropFirst(levels.count)
        switch rest.first {
        case "users": return user(rest.dropFirst())
        case "groups": return group(rest.dropFirst())
        case "guests": return guest(rest.dropFirst())
        case "system": return system(rest.dropFirst())
        case "bridge": return rest.count == 2 && rest.last == "connections" ? .connections : nil
        default: return nil
        }
    }

    /// Bytes; the longest topic of the contract has fewer than 200.
    public static let maximumLength = 512

    private func user(_ levels: ArraySlice<Substring>) -> Topic? {
        guard let name = levels.first.flatMap({ Name($0) }) else { return nil }
        let rest = levels.dropFirst()
        switch (rest.first, rest.count) {
        case ("devices", 3...): return device(of: name, rest.dropFirst())
        case ("groups", 1): return .userGroups(name)
        case ("notices", 1): return .notices(name)
        case ("location", 1): return .location(name)
        default: return nil
        }
    }

    private func device(of user: Name, _ levels: ArraySlice<Substring>) -> Topic? {
        guard let device = levels.first.flatMap({ Name($0) }) else { return nil }
        let rest = levels.dropFirst()
        switch (rest.first, rest.count) {
        case ("fix", 1): return .fix(user, device: device)
        case ("status", 1): return .status(user, device: device)
        case ("rejected", 1): return .rejected(user, device: device)
        case ("stored", 1): return .stored(user, device: device)
        case ("requests", 2):
            return rest.last.map { .request(user, device: device, method: String($0)) }
        case ("replies", _):
            return TopicSpace.suffix(rest.dropFirst()).map {
                .replies(user, device: device, suffix: $0)
            }
        default: return nil
        }
    }

    private func guest(_ levels: ArraySlice<Substring>) -> Topic? {
        guard let client = levels.first.flatMap({ ClientID($0) }) else { return nil }
        let rest = levels.dropFirst()
        switch (rest.first, rest.count) {
        case ("requests", 2): return rest.last.map { .guestRequest(client, method: String($0)) }
        case ("replies", _):
            return TopicSpace.suffix(rest.dropFirst()).map { .guestReplies(client, suffix: $0) }
        default: return nil
        }
    }

    /// What follows `…/replies`, with its slash; nil for what is no topic.
    private static func suffix(_ levels: ArraySlice<Substring>) -> String? {
        let suffix = levels.map { "/" + $0 }.joined()
        // By bytes, as the broker looks: a `+` with an accent is one character, but two there.
        return suffix.utf8.contains(where: { "+#\0".utf8.contains($0) }) ? nil : suffix
    }

    private func group(_ levels: ArraySlice<Substring>) -> Topic? {
        guard let key = levels.first.flatMap({ GroupKey($0) }) else { return nil }
        let rest = Array(levels.dropFirst())
        switch rest.count {
        case 0: return .group(key)
        case 1: return rest[0] == "alerts" ? .alerts(key) : nil
        case 2:
            guard rest[0] == "members", let user = Name(rest[1]) else { return nil }
            return .member(key, user)
        case 4:
            guard rest[0] == "members", let user = Name(rest[1]), rest[2] == "path",
                let segment = Int(rest[3]), segment > 0, String(segment) == rest[3]
            else { return nil }
            return .path(key, user, segment: segment)
        default: return nil
        }
    }

    private func system(_ levels: ArraySlice<Substring>) -> Topic? {
        switch (levels.first, levels.count) {
        case ("status", 1): .systemStatus
        case ("metrics", 2): levels.last.map { .metric(String($0)) }
        default: nil
        }
    }

    private func ownTracks(_ levels: ArraySlice<Substring>) -> Topic? {
        let levels = Array(levels)
        guard (2...3).contains(levels.count), let user = Name(levels[0]) else { return nil }
        let suffix = levels.count == 3 ? String(levels[2]) : ""
        // A slash at the end makes another topic of it, which is none of ours.
        guard levels.count == 2 || !suffix.isEmpty else { return nil }
        if levels[1].first == "@" {
            return Name(levels[1].dropFirst()).map {
                .ownTracksMember(viewer: user, $0, suffix: suffix)
            }
        }
        guard let device = TopicSpace.ownTracksDevice(levels[1]) else { return nil }
        return .ownTracks(user, device: device, suffix: suffix)
    }
}

extension TopicSpace {
    /// The apps name devices as people do: `Pixel7`, `iPhone`; a name is lower case.
    static func ownTracksDevice(_ level: Substring) -> Name? {
        // Beyond ASCII there are capitals whose small letter is ours, such as the Kelvin sign.
        level.utf8.allSatisfy { $0 < 0x80 } ? Name(level.lowercased()) : nil
    }

    /// The device that a topic belongs to, also where the rest of the topic makes no sense; nil
    /// where there is no such device's name in it.
    public func device(in text: String) -> (user: Name, device: Name)? {
        let all = TopicLevels(text).levels
        if all.first == TopicSpace.ownTracksRoot[...] {
            guard all.count >= 3, let user = Name(all[1]),
                let device = TopicSpace.ownTracksDevice(all[2])
            else { return nil }
            return (user, device)
        }
        let rest = Array(all.dropFirst(levels.count))
        guard all.starts(with: levels), rest.count >= 4, rest[0] == "users",
            rest[2] == "devices", let user = Name(rest[1]), let device = Name(rest[3])
        else { return nil }
        return (user, device)
    }
}
