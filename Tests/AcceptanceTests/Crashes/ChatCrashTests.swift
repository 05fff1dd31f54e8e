import TestBroker
import TestSupport
import Testing

/// Messages arrive once and in one order, even if something crashes at that very moment.
@Suite(.timeLimit(.minutes(Endurance.minutes)))
struct ChatCrashTests {
    private static let rounds = Endurance.rounds

    @Test func `A message sent just before the bridge is killed is one message`() async throws {
        try await run { installation, _ in
            await installation.crash()
            try await installation.start()
        }
    }

    @Test func `A message sent just before the broker is killed is one message`() async throws {
        try await run { installation, watchers in
            try await installation.crashBroker()
            for watcher in watchers { try await watcher.ready() }
        }
    }

    /// Ann's phone repeats each request, with the same id, until it is answered; Ben's stays
    /// connected, Cleo's resumes its session.
    private func run(
        _ disturb: (Installation, [Listener]) async throws -> Void
    ) async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben", "cleo")
            try await installation.start()
            let topic = Topic.chat(group)
            var watchers: [Listener] = []
            for user in ["ben", "cleo"] {
                watchers.append(
                    try await installation.listen(
                        ["-c", "-i", "\(user).phone", "-V", "5", "-x", "600"],
                        as: .device(user), to: topic))
            }
            // Once these sessions are saved, nothing is missed even after a restart from an older
            // state.
            try await installation.broker.save()
            var moments = Moments()
            for round in 1...ChatCrashTests.rounds {
                let request = #"{"id":\#(round),"group":"\#(group)","text":"\#(round)"}"#
                try await installation.publish(Topic.device("ann") + "/requests/chat.send", request)
                try await Task.sleep(for: moments.instant(within: 40))
                try await disturb(installation, watchers)
                try await installation.done("ann", "chat.send", request)
                // No user may write more than ten messages a second.
                try await Task.sleep(for: .milliseconds(100))
            }
            let rounds = (1...ChatCrashTests.rounds).map { JSON.string("\($0)") }
            let history = try await installation.done(
                "ben", "chat.history", #"{"group":"\#(group)","limit":100}"#)
            let kept = history["messages"].elements.filter { $0["kind"] == "message" }
            #expect(kept.map(\.["text"]) == rounds.reversed(), "seed \(moments.seed)")
            for watcher in watchers {
                try await watcher.hears("the last", on: topic) {
                    $0["text"] == rounds[rounds.count - 1]
                }
                var shown: [String: JSON] = [:]
                for heard in watcher.heard where heard.json["kind"] == "message" {
                    shown[heard.json["id"].text ?? "?"] = heard.json["text"]
                }
                let onScreen = shown.sorted { $0.key < $1.key }.map(\.value)
                #expect(onScreen == rounds, "seed \(moments.seed)")
            }
        }
    }
}
