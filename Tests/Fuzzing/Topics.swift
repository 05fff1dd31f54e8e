import Contract
import TestSupport

/// Topics and filters, and who may do what with them.
enum Topics {
    private static let space = TopicSpace()
    private static let deepSpace = TopicSpace(root: "an/other")

    static func parse(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for space in [space, deepSpace] {
            guard let topic = space.parse(text) else { continue }
            let printed = space.string(topic)
            try expect(space.parse(printed) == topic, "a topic parses as it is printed")
            // OwnTracks devices may be spelled in any way.
            if case .ownTracks = topic {
                try expect(
                    printed.lowercased() == text.lowercased(), "only capitals are lost")
            } else {
                try expect(printed.utf8.elementsEqual(text.utf8), "a topic is printed as it came")
            }
            if let (user, device) = space.device(in: text) {
                try expect(
                    text.lowercased().contains("/\(user)/"), "the user stands in the topic")
                try expect(
                    text.lowercased().contains("/\(device)"), "the device stands in the topic")
            }
        }
    }

    // MARK: Access

    private static let policy = AccessPolicy()
    private static let family: GroupKey = "AAAAAAAAAAAAAAAAAAAAAA"

    private static let principals: [(Principal, AccessFacts)] = {
        var found = Principal.System.allCases.map { (Principal.system($0), AccessFacts()) }
        if let guest = ClientID("visitor") { found.append((.guest(guest), AccessFacts())) }
        let (ann, phone): (Name, Name) = ("ann", "phone")
        let member = AccessFacts(groups: [family])
        return found + [
            (.device(phone, of: ann), member), (.device(phone, of: ann), AccessFacts()),
            (.service(phone), AccessFacts()),
        ]
    }()

    /// The first line is a filter, the second a topic.
    static func decide(_ bytes: [UInt8]) throws {
        let lines = Lines(2, of: bytes).heads
        let (filter, topic) = (lines[0], lines[1])
        let match = isTopic(topic) ? policy.match(of: topic) : nil
        let isMeant = match != nil && matches(filter, topic)
        for (principal, facts) in principals {
            let isGranted = policy.maySubscribe(to: filter, principal, facts)
            guard let match else { continue }
            let mayReceive = policy.mayReceive(match, principal, facts)
            // What a service receives there is decided with each delivery.
            let isDecidedLater = policy.sharer(at: match) != nil
            if isGranted, isMeant, !isDecidedLater {
                try expect(mayReceive, "what may be subscribed to may be received")
            }
            if !isDecidedLater, isTopic(filter), filter.utf8.elementsEqual(topic.utf8) {
                try expect(isGranted == mayReceive, "a filter without wildcards is its topic")
            }
            try checkOwnership(match, topic, principal, facts)
        }
    }

    private static func checkOwnership(
        _ match: AccessPolicy.TopicMatch, _ topic: String, _ principal: Principal,
        _ facts: AccessFacts
    ) throws {
        let mayPublish = [false, true].contains {
            policy.mayPublish(match, retained: $0, principal, facts)
        }
        switch principal {
        case .system: return
        case .guest:
            try expect(
                !mayPublish || topic.hasPrefix("kith/guests/visitor/"), "a guest speaks for itself")
        case .device:
            let lowered = topic.lowercased()
            try expect(
                !mayPublish || topic.hasPrefix("kith/users/ann/devices/phone/")
                    || lowered == "owntracks/ann/phone"
                    || lowered.hasPrefix("owntracks/ann/phone/"), "a device speaks for itself")
            if topic.hasPrefix("kith/groups/") {
                try expect(
                    policy.mayReceive(match, principal, facts)
                        == (!facts.groups.isEmpty
                            && topic.utf8.split(separator: UInt8(ascii: "/"))[2]
                                .elementsEqual("AAAAAAAAAAAAAAAAAAAAAA".utf8)),
                    "members hear their group")
            }
        case .service:
            try expect(
                !mayPublish || topic.hasPrefix("kith/services/phone/requests/"),
                "a service speaks for itself")
        case .bearer:
            try expect(!mayPublish, "a bearer of a grant publishes nothing")
        }
    }

    /// Whether a broker would forward it as a topic.
    private static func isTopic(_ text: String) -> Bool {
        !text.isEmpty && !text.utf8.contains { "+#\0".utf8.contains($0) }
    }

    /// MQTT 5, 4.7.
    private static func matches(_ filter: String, _ topic: String) -> Bool {
        let (filter, topic) = (levels(filter), levels(topic))
        if topic[0].first == UInt8(ascii: "$"), filter[0] == [0x2B] || filter[0] == [0x23] {
            return false
        }
        for (index, level) in filter.enumerated() {
            if level == [UInt8(ascii: "#")] { return index == filter.count - 1 }
            guard index < topic.count, level == [UInt8(ascii: "+")] || level == topic[index]
            else { return false }
        }
        return filter.count == topic.count
    }

    private static func levels(_ text: String) -> [[UInt8]] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Array($0) }
    }
}
