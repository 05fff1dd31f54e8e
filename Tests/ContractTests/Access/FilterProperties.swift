import Contract
import Testing
import Tracking

/// A subscription grants only topics that may be received.
struct FilterProperties {
    private static let topics: [String] = {
        let users = ["ann", "bob"]
        let groups = [GroupKey.family, .work].map(\.text)
        var topics = [
            "kith/system/status", "kith/system/metrics/fixes", "kith/bridge/connections",
            "kith/bridge/marker", "$SYS/broker/uptime",
        ]
        for user in users {
            topics += ["groups", "notices", "location"].map { "kith/users/\(user)/\($0)" }
            for device in ["phone", "tablet"] {
                topics += [
                    "fix", "status", "requests/a.b", "replies", "replies/a", "rejected",
                    "stored",
                ].map { "kith/users/\(user)/devices/\(device)/\($0)" }
                topics += ["", "/cmd", "/event"].map { "owntracks/\(user)/\(device)\($0)" }
            }
            topics += ["owntracks/\(user)/@bob", "owntracks/\(user)/@bob/info"]
        }
        for group in groups {
            topics += [
                "", "/members/ann", "/members/ann/path/1", "/alerts", "/chat",
            ].map { "kith/groups/\(group)\($0)" }
        }
        for guest in ["visitor", "passer"] {
            topics += ["requests/a.b", "replies", "replies/a"].map { "kith/guests/\(guest)/\($0)" }
        }
        return topics
    }()

    private static let principals: [(Principal, AccessFacts)] = {
        var principals: [(Principal, AccessFacts)] = [
            (.device(.phone, of: .ann), AccessFacts(groups: [.family])),
            (.device(.named("tablet"), of: .ann), AccessFacts(groups: [.family, .work])),
            (.device(.phone, of: .bob), AccessFacts(friendsInSight: [.ann])),
            (.service(.named("myheart")), AccessFacts(groups: [.family], friendsInSight: [.ann])),
        ]
        if let guest = ClientID("visitor") { principals.append((.guest(guest), AccessFacts())) }
        principals += Principal.System.allCases.map { (.system($0), AccessFacts()) }
        return principals
    }()

    /// MQTT 5, 4.7, implemented independently.
    private static func matches(_ filter: [String], _ topic: [String]) -> Bool {
        if topic[0].hasPrefix("$"), filter[0] == "+" || filter[0] == "#" { return false }
        for (index, level) in filter.enumerated() {
            if level == "#" { return true }
            guard index < topic.count, level == "+" || level == topic[index] else { return false }
        }
        return filter.count == topic.count
    }

    private static func levels(_ text: String) -> [String] {
        text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// - Returns: the topics that the filter matches and that may not be received though the
    ///   filter was granted.
    private func leaks(_ filter: [String], _ policy: AccessPolicy) -> [String] {
        let text = filter.joined(separator: "/")
        var leaks: [String] = []
        for (principal, facts) in FilterProperties.principals
        where policy.maySubscribe(to: text, principal, facts) {
            for topic in FilterProperties.topics
            where FilterProperties.matches(filter, FilterProperties.levels(topic)) {
                let place = policy.match(of: topic)
                if place.map({ policy.mayReceive($0, principal, facts) }) != true {
                    leaks.append("\(principal) at \(topic) by \(text)")
                }
            }
        }
        return leaks
    }

    /// A wildcard at every level of every topic, and an end of any kind after each.
    @Test func `No wildcard grants a topic that may not be received`() {
        let policy = AccessPolicy()
        var count = 0
        for topic in FilterProperties.topics {
            let levels = FilterProperties.levels(topic)
            for mask in 0..<(1 << levels.count) {
                let filter = levels.indices.map { mask >> $0 & 1 == 1 ? "+" : levels[$0] }
                #expect(leaks(filter, policy) == [])
                count += 1
            }
            for end in 0...levels.count {
                #expect(leaks(levels[..<end] + ["#"], policy) == [])
                if end > 0 {
                    #expect(leaks(levels[..<(end - 1)] + ["+", "#"], policy) == [])
                }
            }
        }
        #expect(count > 1000)
    }

    @Test(arguments: seeds)
    func `No random filter grants a topic that may not be received`(seed: UInt64) {
        let policy = AccessPolicy()
        var random = SplitMix64(seed: seed)
        let words =
            FilterProperties.topics.flatMap { FilterProperties.levels($0) } + ["", "+", "#"]
        for _ in 0..<40 {
            var filter = FilterProperties.levels(
                FilterProperties.topics.randomElement(using: &random) ?? "")
            for index in filter.indices {
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1: filter[index] = "+"
                case 2: filter[index] = words.randomElement(using: &random) ?? ""
                default: break
                }
            }
            if Bool.random(using: &random) { filter.append("#") }
            if let end = filter.firstIndex(of: "#") { filter = Array(filter[...end]) }
            #expect(leaks(filter, policy) == [], "seed \(seed)")
        }
    }

    @Test func `A principal may subscribe by name to exactly the topics it may receive`() {
        let policy = AccessPolicy()
        for (principal, facts) in FilterProperties.principals {
            for topic in FilterProperties.topics {
                let place = policy.match(of: topic)
                let mayReceive = place.map { policy.mayReceive($0, principal, facts) } == true
                let maySubscribe = policy.maySubscribe(to: topic, principal, facts)
                #expect(mayReceive == maySubscribe, "\(principal) at \(topic)")
            }
        }
    }

    @Test(arguments: [
        "#", "+", "+/#", "kith/#", "kith/+/#", "kith/users/#", "kith/groups/+", "$SYS/#",
        "$share/x/kith/runs/#", "$share/x/kith/runs/one", "$anything", "kith/users/+/notices",
        "kith/runs", "", "/", "kith/runs/one/unheard-of", "kith/+/status", "+/groups/+/alerts",
    ])
    func `A device is refused filters above its owner and filters that match no topic`(
        filter: String
    ) {
        let facts = AccessFacts(groups: [.family, .work], friendsInSight: [.ann, .bob])
        let device = Principal.device(.phone, of: .ann)
        #expect(!AccessPolicy().maySubscribe(to: filter, device, facts))
    }
}
