import Glibc
import TestBroker
import TestSupport
import Testing

/// Two brokers, and on each machine a bridge: the first one decides.
@Suite(.timeLimit(.minutes(3)), .onPostgreSQL)
struct BrokersTests {
    /// Freezes the process while the body runs.
    private func freezing(_ process: pid_t?, _ body: () async throws -> Void) async throws {
        let process = try #require(process)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        try await body()
    }

    /// Listens once the broker's gate knows the new token.
    private func listen(
        at machine: Installation, _ user: String, _ arguments: [String] = [], to topic: String
    ) async throws -> Listener {
        let credentials = try await machine.credentials(.device(user))
        try await eventually("a gate that knows the token") { () async throws -> Bool? in
            let probe = try await Program.run(
                "mosquitto_sub", credentials + ["-E", "-t", topic])
            return probe.status == 0 ? true : nil
        }
        return try await machine.listen(arguments, as: .device(user), to: topic)
    }

    @Test func `A frozen broker delays nothing at the other, and receives everything later`()
        async throws
    {
        try await withPair { pair, other in
            let group = try await pair.installation.family("ann", "ben")
            let ann = try await pair.installation.listen(
                as: .device("ann"), to: Topic.alerts(group))
            let ben = try await listen(at: other, "ben", to: Topic.alerts(group))
            try await freezing(await other.broker.processIdentifier) {
                for round in 1...5 {
                    let start = ann.count
                    try await pair.installation.done(
                        "ann", "sos.trigger", #"{"id":"sos \#(round)"}"#)
                    try await ann.hears("the SOS", on: Topic.alerts(group), since: start) {
                        $0["kind"] == "sos"
                    }
                    try await pair.installation.done("ann", "sos.stop", #"{"id":"end \#(round)"}"#)
                }
                #expect(ben.heard.isEmpty)
            }
            try await other.done("ben", "sos.trigger")
            try await ann.hears("Ben's SOS", on: Topic.alerts(group)) { $0["user"] == "ben" }
            try await ben.hears("Ben's SOS", on: Topic.alerts(group)) { $0["user"] == "ben" }
            let (here, there) = (ann.heard.map(\.json["id"]), ben.heard.map(\.json["id"]))
            #expect(here.count == 11 && there.count == 11)
            #expect(here == there)
        }
    }

    @Test func `A killed broker has the right retained messages when it is back`() async throws {
        try await withPair { pair, other in
            let group = try await pair.installation.family("ann", "ben", "carl")
            let (member, all) = (Topic.member(group, "ann"), "kith/groups/\(group)/#")
            let ann = try await pair.installation.listen(as: .device("ann"), to: all)
            let carl = try await listen(at: other, "carl", to: all)
            try await pair.installation.done("ann", "sos.trigger")
            try await pair.installation.publish(Topic.fix("ann"), fix(at: 0))
            try await carl.hears("Ann's position", on: member) { $0["fix"].isFix(at: 0) }
            await other.broker.kill()
            try await pair.installation.publish(Topic.fix("ann"), fix(at: 500))
            try await ann.hears("Ann's position", on: member) { $0["fix"].isFix(at: 500) }
            try await pair.installation.done(
                "ann", "group.remove", #"{"group":"\#(group)","user":"ben"}"#)
            let start = pair.bridges[0].lines.count
            try await other.startBroker()
            try await pair.says("Connected to the broker.", bridge: 0, from: start)
            try await eventually("the same retained messages") { () async throws -> Bool? in
                let here = try await pair.installation.listen(as: .device("ann"), to: all)
                let there = try await listen(at: other, "carl", to: all)
                func retained(_ listener: Listener) -> [String: String] {
                    listener.latest.filter(\.value.isRetained).mapValues(\.payload)
                }
                let isSame = retained(here) == retained(there)
                #expect(retained(here)[member] != nil)
                return isSame && retained(there)[Topic.member(group, "ben")] == nil ? true : nil
            }
        }
    }

    @Test func `Removed members receive nothing later at either broker`() async throws {
        try await withPair { pair, other in
            let leavers = (1...5).map { "leaver\($0)" }
            for user in leavers + ["ann", "carl"] {
                try await pair.installation.kith("user", "add", user)
            }
            let group = try await pair.installation.kith(
                ["group", "create", "Family", "ann", "carl"] + leavers)
            let machines = [pair.installation, other]
            let carl = try await listen(at: other, "carl", to: Topic.chat(group))
            var listeners: [Listener] = []
            for (number, user) in leavers.enumerated() {
                listeners.append(
                    try await listen(at: machines[number % 2], user, to: Topic.chat(group)))
            }
            let credentials = try await pair.installation.credentials(.device("ann"))
                .joined(separator: "' '")
            // Each waits for the acknowledgement, so that everything is decided in this order.
            func publish(_ method: String, _ payload: String) -> String {
                let topic = Topic.device("ann") + "/requests/\(method)"
                return "mosquitto_pub '\(credentials)' -q 1 -t \(topic) -m '\(payload)'"
            }
            var script: [String] = []
            for round in 1...6 {
                for number in 1...10 {
                    let text = #"{"group":"\#(group)","text":"\#(round) \#(number)"}"#
                    // Ten messages per second are accepted.
                    script += [publish("chat.send", text), "sleep 0.1"]
                }
                guard round <= leavers.count else { continue }
                script.append(
                    publish("group.remove", #"{"group":"\#(group)","user":"leaver\#(round)"}"#))
            }
            _ = try await Program.succeed("bash", ["-ec", script.joined(separator: "\n")])
            try await carl.hears("the last message", on: Topic.chat(group)) {
                $0["text"] == "6 10"
            }
            try await Task.sleep(for: .seconds(1))
            for (index, listener) in listeners.enumerated() {
                let messages = listener.heard.filter { $0.json["kind"] == "message" }
                let rounds = Set(
                    messages.compactMap { $0.json["text"].text?.split(separator: " ").first }
                        .compactMap { Int($0) })
                #expect(rounds == Set(1...index + 1), "\(leavers[index])")
            }
        }
    }

    @Test func `A broker whose gate lacks a removal receives nothing, and the other all`()
        async throws
    {
        try await withPair { pair, other in
            let group = try await pair.installation.family("ann", "ben", "carl", "dora")
            let dora = try await pair.installation.listen(
                as: .device("dora"), to: Topic.chat(group))
            let ben = try await listen(at: other, "ben", to: Topic.chat(group))
            let carl = try await listen(at: other, "carl", to: Topic.chat(group))
            // With a token from before.
            try await pair.installation.done("ann", "group.list")
            // The second machine's bridge keeps its gate's rights.
            try await freezing(pair.bridges[1].processIdentifier) {
                try await pair.installation.done(
                    "ann", "group.remove", #"{"group":"\#(group)","user":"ben"}"#)
                try await pair.installation.done(
                    "ann", "chat.send", #"{"group":"\#(group)","text":"two"}"#)
                try await dora.hears("the message", on: Topic.chat(group)) { $0["text"] == "two" }
                try await Task.sleep(for: .seconds(1))
                #expect(!carl.heard.contains { $0.json["text"] == "two" })
            }
            try await carl.hears("the message", on: Topic.chat(group)) { $0["text"] == "two" }
            #expect(!ben.heard.contains { $0.json["text"] == "two" })
        }
    }

    @Test func `Members stay connected when they move, and not when their broker is lost`()
        async throws
    {
        try await withPair(["KITH_TRACKING_OFFLINE_AFTER": "1"]) { pair, other in
            let group = try await pair.installation.family("ann", "ben")
            let member = Topic.member(group, "ben")
            let ann = try await pair.installation.listen(as: .device("ann"), to: member)
            let first = try await listen(
                at: other, "ben", ["-i", "ben.phone"], to: "kith/users/ben/notices")
            try await ann.hears("a connected Ben", on: member) { $0["online"] == true }
            pair.installation.useTokens(of: other)
            let second = try await pair.installation.listen(
                ["-i", "ben.phone"], as: .device("ben"), to: "kith/users/ben/notices")
            let moved = ann.count
            await first.kill()
            try await pair.installation.done("ann", "group.list")
            try await Task.sleep(for: .seconds(2))
            #expect(!ann.heard.dropFirst(moved).contains { $0.json["online"] == false })
            await second.kill()
            try await ann.hears("a disconnected Ben", on: member, since: moved) {
                $0["online"] == false
            }
            let gone = ann.count
            let third = try await listen(
                at: other, "ben", ["-i", "ben.phone"], to: "kith/users/ben/notices")
            try await ann.hears("a connected Ben", on: member, since: gone) { $0["online"] == true }
            let lost = ann.count
            await other.broker.kill()
            try await ann.hears("a disconnected Ben", on: member, since: lost) {
                $0["online"] == false
            }
            await third.kill()
            let metrics = try await pair.installation.listen(
                as: .metrics, to: "kith/system/metrics/brokers-connected")
            try await eventually("one broker") { metrics.heard.last?.payload == "1" ? true : nil }
            // Concerns are reported every ten seconds.
            try await eventually("a concern") { () async throws -> Bool? in
                let status = try await pair.kith("status", "--json", bridge: 0)
                return status.contains(#""broker-lost""#) ? true : nil
            }
        }
    }
}
