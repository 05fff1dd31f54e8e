import Contract
import MQTT
import TestBroker
import TestSupport
import Testing
import Tracking

/// Attempts to read other people's messages.
struct EavesdroppingTests {
    /// The messages that could be overheard, apart from those that anyone may read.
    private static let secrets = [
        "kith/users/alice/devices/phone/replies", "kith/users/alice/devices/phone/rejected",
        "kith/users/alice/devices/phone/stored", "kith/users/alice/groups",
        "kith/users/alice/notices", "kith/users/alice/location", "owntracks/alice/@bob",
        "owntracks/alice/@bob/info", FamilyTopic.root, FamilyTopic.alerts, FamilyTopic.alice,
        FamilyTopic.alice + "/path/1", FamilyTopic.root + "/chat", "kith/guests/visitor/replies",
        "kith/system/status", "kith/system/metrics/fixes",
    ]

    /// Makes the bridge publish on every topic, retained if possible.
    private func speak(_ bridge: Peer) throws {
        for topic in EavesdroppingTests.secrets {
            #expect(try bridge.publish(topic, "secret") == .accepted, "\(topic)")
            try bridge.publish(topic, "secret", retain: true)
        }
    }

    private static let greedy = [
        "#", "+", "+/#", "+/+", "+/+/+", "+/+/+/+", "+/+/+/+/+", "kith/#", "kith/+", "kith/+/+",
        "kith/+/#", "kith/groups/#", "kith/groups/+", "kith/groups/+/alerts",
        "kith/groups/+/members/+", "kith/groups/+/members/alice", "kith/groups/+/#",
        "kith/users/#", "kith/users/+/notices", "kith/users/+/location", "kith/users/+/devices/#",
        "kith/users/+/devices/+/replies", "kith/users/alice/#", "kith/users/alice/+",
        "kith/users/alice/devices/+/replies", "kith/guests/#", "kith/guests/+/replies",
        "kith/system/#", "kith/system/+", "kith/dispatch/#", "kith/bridge/#", "kith/bridge/+",
        "owntracks/#", "owntracks/+/+", "owntracks/+/@bob", "owntracks/alice/#",
        "owntracks/alice/+", "$SYS/#", "$SYS/broker/clients/connected", "$SYS/+/+", "$share/x/#",
        "$share/x/kith/groups/#", "$share/x/" + FamilyTopic.alerts,
        "$share/x/kith/users/carol/notices", "$CONTROL/#", "/#", "//", "/kith/#", "kith//#",
    ]

    @Test func `A stranger, a guest and the operator get no filter that covers others' topics`()
        async throws
    {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try speak(bridge)
            let literal = EavesdroppingTests.secrets
            for who in ["carol.phone", "passer", "kith:operator", "kith:dispatch", "kith:metrics"] {
                for version in [ConnectionOptions.Version.v5, .v311] {
                    var peer = try gate.enter(who) { $0.version = version }
                    for (number, filter) in (EavesdroppingTests.greedy + literal).enumerated() {
                        if who == "passer", number.isMultiple(of: 3) {
                            // A guest may subscribe only a few times.
                            try peer.leave()
                            peer = try gate.enter(who) { $0.version = version }
                        }
                        let isOwn =
                            who == "kith:operator"
                            && (filter.hasPrefix("kith/system") || filter.hasPrefix("$SYS/"))
                            || who == "kith:dispatch" && filter == "kith/dispatch/#"
                            || who == "kith:metrics" && filter.hasPrefix("kith/system")
                        #expect(try peer.subscribe(to: filter) == isOwn, "\(who) to \(filter)")
                    }
                    try speak(bridge)
                    try peer.catchUp()
                    let others = peer.messages.filter {
                        !(["kith/system", "$SYS/"].contains(where: $0.topic.hasPrefix)
                            && who == "kith:operator")
                            && !(who == "kith:metrics" && $0.topic.hasPrefix("kith/system"))
                    }
                    #expect(others.map(\.topic) == [], "\(who)")
                    try peer.leave()
                }
            }
        }
    }

    @Test func `A thousand random filters reveal nothing to a stranger`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            try speak(bridge)
            let stranger = try gate.enter("carol.phone")
            var random = SplitMix64(seed: 20_261_121)
            let words =
                EavesdroppingTests.secrets.flatMap { $0.split(separator: "/").map(String.init) }
                + ["+", "+", "+", "+", "#", "#", "", "$share", "$SYS"]
            for _ in 0..<1000 {
                let length = Int.random(in: 1...7, using: &random)
                var levels = (0..<length).map { _ in words.randomElement(using: &random) ?? "" }
                if let end = levels.firstIndex(of: "#") { levels = Array(levels[...end]) }
                let filter = levels.joined(separator: "/")
                guard !filter.isEmpty else { continue }
                // The library does not even send some filters that Mosquitto would refuse.
                do throws(MQTTError) {
                    try stranger.connection.subscribe(to: [filter])
                    try stranger.connection.release()
                } catch {}
                try stranger.read(within: 0)
                if !stranger.connection.isConnected { try stranger.connect() }
            }
            try turn([stranger], for: .milliseconds(100))
            try speak(bridge)
            try turn([stranger], for: .milliseconds(100))
            #expect(stranger.connection.isConnected)
            #expect(stranger.messages.map(\.topic) == [])
        }
    }

    @Test func `Guessing group ids reveals nothing`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bridge = try gate.enter("kith:bridge")
            let stranger = try gate.enter("carol.phone")
            var guesses = [
                "family", "1", "Family", "FamilyFamilyFamily_-0", "familyfamilyfamily_-09",
            ]
            var random = SplitMix64(seed: 7)
            for _ in 0..<300 { guesses.append(String(GroupKey(using: &random).text)) }
            for guess in guesses + [GroupKey.family.text] {
                #expect(try !stranger.subscribe(to: "kith/groups/\(guess)/#"))
                #expect(try !stranger.subscribe(to: "kith/groups/\(guess)"))
            }
            try speak(bridge)
            try stranger.catchUp()
            #expect(stranger.messages.isEmpty)
        }
    }

    @Test func `Members may subscribe to all of their group and nothing more`() async throws {
        try await withGate { gate in
            try gate.settle()
            let bob = try gate.enter("bob.phone")
            for filter in [
                FamilyTopic.root + "/#", FamilyTopic.root + "/members/+",
                FamilyTopic.root + "/members/+/path/+", FamilyTopic.root + "/+",
                "kith/users/bob/+", "kith/users/bob/devices/phone/#", "owntracks/bob/#",
                "owntracks/bob/+", "owntracks/bob/+/info",
            ] {
                #expect(try bob.subscribe(to: filter), "\(filter)")
            }
            for filter in [
                "kith/groups/\(GroupKey.work)/#", "kith/users/bob/#",
                "kith/users/bob/devices/+/replies", "kith/+/\(GroupKey.family)/#",
                "+/groups/\(GroupKey.family)/alerts", "kith/users/alice/location",
            ] {
                #expect(try !bob.subscribe(to: filter), "\(filter)")
            }
        }
    }
}
