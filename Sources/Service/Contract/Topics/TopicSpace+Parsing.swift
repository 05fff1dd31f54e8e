extension TopicSpace {
    /// Nil for a text that is not a topic of the contract: too many or too few levels, an invalid
    /// name, a different root.
    public func parse(_ text: String) -> Topic? {
        guard text.utf8.count <= TopicSpace.maximumLength else { return nil }
        return parsed(text) ?? patterns.listed(text)
    }

    private func parsed(_ text: String) -> Topic? {
        var levels = LevelReader(text)
        guard levels.skip(root) else {
            if levels.skip(TopicSpace.ownTracksRoot) { return ownTracks(&levels) }
            guard levels.skip("$SYS/broker") else { return nil }
            return TopicSpace.suffix(&levels).map { .brokerFigure($0) }
        }
        switch levels.next() {
        case "users": return user(&levels)
        case "groups": return group(&levels)
        case "guests": return guest(&levels)
        case "services": return service(&levels)
        case "operator": return operatorsOwn(&levels)
        case "system": return system(&levels)
        case "bridge": return bridge(&levels)
        default: return nil
        }
    }

    /// Bytes; the longest topic of the contract has fewer than 200.
    public static let maximumLength = 512

    private func user(_ levels: inout LevelReader) -> Topic? {
        guard let name = levels.next().flatMap({ Name($0) }) else { return nil }
        switch levels.next() {
        case "devices": return device(of: name, &levels)
        case "groups": return levels.isAtEnd ? .userGroups(name) : nil
        case "notices": return levels.isAtEnd ? .notices(name) : nil
        case "location": return levels.isAtEnd ? .location(name) : nil
        default: return nil
        }
    }

    private func device(of user: Name, _ levels: inout LevelReader) -> Topic? {
        guard let device = levels.next().flatMap({ Name($0) }) else { return nil }
        switch levels.next() {
        case "fix": return levels.isAtEnd ? .fix(user, device: device) : nil
        case "status": return levels.isAtEnd ? .status(user, device: device) : nil
        case "rejected": return levels.isAtEnd ? .rejected(user, device: device) : nil
        case "stored": return levels.isAtEnd ? .stored(user, device: device) : nil
        case "requests":
            return TopicSpace.word(&levels).map { .request(user, device: device, method: $0) }
        case "replies":
            return TopicSpace.suffix(&levels).map { .replies(user, device: device, suffix: $0) }
        default: return nil
        }
    }

    private func guest(_ levels: inout LevelReader) -> Topic? {
        guard let client = levels.next().flatMap({ ClientID($0) }) else { return nil }
        switch levels.next() {
        case "requests": return TopicSpace.word(&levels).map { .guestRequest(client, method: $0) }
        case "replies": return TopicSpace.suffix(&levels).map { .guestReplies(client, suffix: $0) }
        default: return nil
        }
    }

    /// Its other topics are listed.
    private func service(_ levels: inout LevelReader) -> Topic? {
        guard let name = levels.next().flatMap({ Name($0) }) else { return nil }
        switch levels.next() {
        case "requests": return TopicSpace.word(&levels).map { .serviceRequest(name, method: $0) }
        case "replies": return TopicSpace.suffix(&levels).map { .serviceReplies(name, suffix: $0) }
        default: return nil
        }
    }

    /// The maximum number of levels below `…/replies`: a broker ends the connection of a client
    /// that publishes with too many (Mosquitto: 200, `TOPIC_HIERARCHY_LIMIT`).
    public static let maximumReplyLevels = 8

    /// The part after `…/replies`, with its slash; nil if that is not valid in a topic.
    private static func suffix(_ levels: inout LevelReader) -> String? {
        let suffix = levels.isAtEnd ? "" : "/" + levels.rest
        // By bytes, like the broker: a `+` with an accent is one character here, but two there.
        guard !suffix.utf8.contains(where: { "+#\0".utf8.contains($0) }) else { return nil }
        let depth = suffix.utf8.count { $0 == UInt8(ascii: "/") }
        return depth <= maximumReplyLevels ? suffix : nil
    }

    private func group(_ levels: inout LevelReader) -> Topic? {
        guard let key = levels.next().flatMap({ GroupKey($0) }) else { return nil }
        switch levels.next() {
        case nil: return .group(key)
        case "alerts": return levels.isAtEnd ? .alerts(key) : nil
        case "members": return member(of: key, &levels)
        default: return nil
        }
    }

    private func member(of group: GroupKey, _ levels: inout LevelReader) -> Topic? {
        guard let user = levels.next().flatMap({ Name($0) }) else { return nil }
        switch levels.next() {
        case nil: return .member(group, user)
        case "path":
            return levels.last().flatMap(TopicSpace.segment).map {
                .path(group, user, segment: $0)
            }
        default: return nil
        }
    }

    private func operatorsOwn(_ levels: inout LevelReader) -> Topic? {
        switch levels.next() {
        case "requests": TopicSpace.word(&levels).map { .operatorRequest(method: $0) }
        case "replies": TopicSpace.suffix(&levels).map { .operatorReplies(suffix: $0) }
        default: nil
        }
    }

    private func system(_ levels: inout LevelReader) -> Topic? {
        switch levels.next() {
        case "status": levels.isAtEnd ? .systemStatus : nil
        case "metrics": TopicSpace.word(&levels).map { .metric($0) }
        default: nil
        }
    }

    private func bridge(_ levels: inout LevelReader) -> Topic? {
        switch levels.last() {
        case "connections": .connections
        case "marker": .marker
        default: nil
        }
    }

    /// The last level; nil if it is empty.
    private static func word(_ levels: inout LevelReader) -> String? {
        levels.last().flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// A number from 1 up in its canonical spelling.
    static func segment(_ text: Substring) -> Int? {
        guard let segment = Int(text), segment > 0, String(segment) == text else { return nil }
        return segment
    }

    private func ownTracks(_ levels: inout LevelReader) -> Topic? {
        guard let user = levels.next().flatMap({ Name($0) }), let second = levels.next() else {
            return nil
        }
        // A trailing slash makes it a different topic, which is not part of the contract.
        guard levels.isAtEnd || !levels.rest.isEmpty else { return nil }
        var suffix = ""
        if !levels.isAtEnd {
            guard let last = levels.last() else { return nil }
            suffix = String(last)
        }
        if second.first == "@" {
            return Name(second.dropFirst()).map {
                .ownTracksMember(viewer: user, $0, suffix: suffix)
            }
        }
        guard let device = TopicSpace.ownTracksDevice(second) else { return nil }
        return .ownTracks(user, device: device, suffix: suffix)
    }
}

extension TopicSpace {
    /// The apps name devices as people do, `Pixel7` or `iPhone`, while a name is in lower case.
    static func ownTracksDevice(_ level: Substring) -> Name? {
        // Beyond ASCII there are capitals whose lower case is an ASCII letter, such as the Kelvin
        // sign.
        level.utf8.allSatisfy { $0 < 0x80 } ? Name(level.lowercased()) : nil
    }

    /// The device that a topic belongs to, even if the rest of the topic is invalid, or the topic
    /// is longer than any of the contract; nil if it does not name a device.
    public func device(in text: String) -> (user: Name, device: Name)? {
        var levels = LevelReader(text)
        if levels.skip(TopicSpace.ownTracksRoot) {
            guard let user = levels.next().flatMap({ Name($0) }),
                let device = levels.next().flatMap(TopicSpace.ownTracksDevice)
            else { return nil }
            return (user, device)
        }
        guard levels.skip(root), levels.skip("users"),
            let user = levels.next().flatMap({ Name($0) }), levels.skip("devices"),
            let device = levels.next().flatMap({ Name($0) })
        else { return nil }
        return (user, device)
    }
}
