import Glibc
import TestBroker
import TestSupport
import Testing

/// Two bridges on one database. The broker's gate reads the rights that the first one writes.
@Suite(.timeLimit(.minutes(3)), .onPostgreSQL)
struct StandbyTests {
    /// How the bridge that decides ends.
    enum End: CaseIterable {
        case killed, stopped, frozen

        func happens(to bridge: pid_t) {
            switch self {
            case .killed: kill(bridge, SIGKILL)
            case .stopped: kill(bridge, SIGTERM)
            case .frozen: kill(bridge, SIGSTOP)
            }
        }
    }

    @Test(arguments: End.allCases)
    func `Another bridge takes over, and an SOS arrives under one id`(_ end: End) async throws {
        try await withPair { pair in
            let group = try await pair.installation.family("ann", "ben")
            let watcher = try await pair.installation.listen(
                ["-c", "-i", "ben.phone"], as: .device("ben"), to: Topic.alerts(group))
            // With a token from before: no new one reaches the gate while the first bridge is down.
            try await pair.installation.done("ann", "group.list")
            for round in 1...3 {
                let known = Set(watcher.heard.map(\.json["id"]))
                let (ended, other) = round.isMultiple(of: 2) ? (1, 0) : (0, 1)
                let start = pair.bridges[other].lines.count
                let process = try #require(pair.bridges[ended].processIdentifier)
                end.happens(to: process)
                try await pair.installation.publish(
                    Topic.device("ann") + "/requests/sos.trigger", #"{"id":"sos \#(round)"}"#)
                let sos = try await watcher.hears("the SOS", on: Topic.alerts(group)) {
                    $0["kind"] == "sos" && !known.contains($0["id"])
                }
                try await pair.says("Taking over.", bridge: other, from: start)
                if end == .frozen {
                    kill(process, SIGCONT)
                    try await pair.says("standing by", bridge: ended, last: true)
                } else {
                    await pair.bridges[ended].kill()
                    pair.launch(ended)
                    try await pair.says("standing by", bridge: ended)
                }
                try await pair.installation.done("ann", "sos.stop", #"{"id":"end \#(round)"}"#)
                try await watcher.hears("its end", on: Topic.alerts(group)) {
                    $0["kind"] == "sos-stopped" && !known.contains($0["id"])
                }
                let new = watcher.heard.filter {
                    $0.json["kind"] == "sos" && !known.contains($0.json["id"])
                }
                #expect(Set(new.map(\.json["id"])) == [sos.json["id"]], "round \(round)")
            }
        }
    }

    @Test func `A removed member receives nothing, whichever machine decides`() async throws {
        try await withPair { pair in
            let installation = pair.installation
            let group = try await installation.family("ann", "ben", "carl")
            let chat = "kith/groups/\(group)/chat"
            let carl = try await installation.listen(as: .device("carl"), to: chat)
            // The second machine decides; the first one writes the rights, but is frozen.
            let first = try #require(pair.bridges[0].processIdentifier)
            kill(first, SIGTERM)
            try await pair.says("Connected to the broker.", bridge: 1)
            await pair.bridges[0].kill()
            pair.launch(0)
            try await pair.says("standing by", bridge: 0)
            let ben = try await installation.listen(as: .device("ben"), to: chat)
            try await installation.done("ann", "chat.send", #"{"group":"\#(group)","text":"one"}"#)
            try await ben.hears("a message", on: chat) { $0["text"] == "one" }
            let frozen = try #require(pair.bridges[0].processIdentifier)
            kill(frozen, SIGSTOP)
            try await installation.publish(
                Topic.device("ann") + "/requests/group.remove",
                #"{"group":"\#(group)","user":"ben","id":"r"}"#)
            try await installation.publish(
                Topic.device("ann") + "/requests/chat.send",
                #"{"group":"\#(group)","text":"two","id":"c"}"#)
            // The messages are decided, and wait for the gate.
            try await Task.sleep(for: .seconds(2))
            #expect(!carl.heard.contains { $0.json["text"] == "two" })
            kill(frozen, SIGCONT)
            try await carl.hears("the message", on: chat) { $0["text"] == "two" }
            #expect(!ben.heard.contains { $0.json["text"] == "two" })
        }
    }

    @Test func `Each machine says whether it stands by, and who decides`() async throws {
        try await withPair { pair in
            let first = try #require(pair.bridges[0].processIdentifier)
            let status = try await pair.kith("status", "--json", bridge: 1)
            #expect(status.contains(#""standby":true"#), "\(status)")
            #expect(status.contains(" \(first)\""), "\(status)")
            let own = try await pair.kith("status", "--json", bridge: 0)
            #expect(!own.contains("standby"), "\(own)")
            // Commands work on either.
            try await pair.kith("user", "add", "dora", bridge: 1)
            #expect(try await pair.kith("user", "list", bridge: 0).contains("dora"))
        }
    }
}
