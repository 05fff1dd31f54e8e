import TestBroker
import TestSupport
import Testing

/// Ben's phone is off, and nothing of his is connected: his webhook receives Ann's call for help.
@Suite(.timeLimit(.minutes(Endurance.minutes)))
struct ChannelDeliveryTests {
    private static let rounds = Endurance.rounds
    private static let settings = ["KITH_CHANNELS_NETWORKS": "127.0.0.0/8"]

    /// Ben's group, with the webhook.
    private func begin(_ installation: Installation, _ url: String) async throws -> String {
        let group = try await installation.family("ann", "ben")
        try await installation.start()
        try await installation.done("ben", "channel.add", #"{"kind":"webhook","url":"\#(url)"}"#)
        return group
    }

    /// - Returns: the message's id.
    private func trigger(_ installation: Installation, _ number: Int) async throws -> String {
        let call = #"{"id":"sos \#(number)","fix":{"latitude":46.0501,"longitude":14.5002}}"#
        try await installation.done("ann", "sos.trigger", call)
        let group = try await installation.done("ben", "group.list")["groups"].elements[0]["group"]
        let alerts = try await installation.done(
            "ben", "alert.list", #"{"group":"\#(group.text ?? "")","limit":1}"#)
        return try #require(alerts["alerts"].elements.first?["id"].text)
    }

    @Test func `An SOS reaches the webhook once, and nothing about it is logged`() async throws {
        try await withInstallation(Self.settings) { installation in
            let receiver = try await Receiver.start()
            _ = try await begin(installation, receiver.url)
            let id = try await trigger(installation, 1)
            let message = try await eventually("the SOS") { receiver.messages.first }
            #expect(message["headers"]["webhook-id"].text == id)
            #expect(message["headers"]["webhook-signature"].text?.hasPrefix("v1,") == true)
            #expect(message["body"]["kind"] == "sos")
            #expect(message["body"]["data"]["fix"]["latitude"] == .number(46.0501))
            try await installation.done("ben", "alert.acknowledge", #"{"alert":"\#(id)"}"#)
            let channel = try await eventually("a channel that worked") {
                let list = try await installation.done("ben", "channel.list")["channels"].elements
                return list.first { $0["workedAt"] != .null }
            }
            #expect(channel["failure"] == .null)
            #expect(receiver.messages.count == 1)
            let log = await installation.log.joined(separator: "\n")
            for secret in [receiver.url, "/hook", "46.05", "Ann", "whsec_", id] {
                #expect(!log.contains(secret), "\(secret) in the log")
            }
            await receiver.stop()
        }
    }

    @Test func `An SOS arrives although the bridge is killed and the receiver starts later`()
        async throws
    {
        try await withInstallation(Self.settings) { installation in
            let port = try reservePort()
            _ = try await begin(installation, "http://127.0.0.1:\(port)/hook")
            var moments = Moments()
            for round in 1...Self.rounds {
                async let called = installation.ask(
                    "ann", "sos.trigger", #"{"id":"sos \#(round)"}"#)
                try await Task.sleep(for: moments.instant(within: 60))
                await installation.crash()
                try await installation.start()
                _ = try await called
                let id = try await trigger(installation, round)
                let receiver = try await Receiver.start(at: Int(port))
                let heard = try await eventually("the SOS, seed \(moments.seed)") {
                    receiver.messages.first { $0["body"]["alert"].text == id }
                }
                #expect(heard["body"]["kind"] == "sos")
                await receiver.stop()
                try await installation.done("ann", "sos.stop")
            }
        }
    }

    @Test func `A delivery interrupted by a bridge kill is resent as the same message`()
        async throws
    {
        try await withInstallation(Self.settings) { installation in
            let receiver = try await Receiver.start()
            _ = try await begin(installation, "http://127.0.0.1:\(receiver.port)/hang")
            try await installation.done("ann", "sos.trigger")
            _ = try await eventually("the SOS") { receiver.messages.first }
            await installation.crash()
            try await installation.start()
            let messages = try await eventually("the SOS again") {
                receiver.messages.count > 1 ? receiver.messages : nil
            }
            #expect(Set(messages.map { $0["headers"]["webhook-id"].text }).count == 1)
            await receiver.stop()
        }
    }

    @Test func `The operator's own network receives nothing unless they allow it`() async throws {
        try await withInstallation { installation in
            let receiver = try await Receiver.start()
            _ = try await begin(installation, receiver.url)
            _ = try await trigger(installation, 1)
            let channel = try await eventually("a channel that fails") {
                let list = try await installation.done("ben", "channel.list")["channels"].elements
                return list.first { $0["failure"] != .null }
            }
            #expect(channel["failure"] == "forbidden-address")
            #expect(receiver.messages.isEmpty)
            await receiver.stop()
        }
    }
}
