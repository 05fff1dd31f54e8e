import TestServers
import TestSupport
import Testing

/// Receivers that users have named.
@Suite(
    .serialized, .timeLimit(.minutes(Endurance.minutes)),
    .enabled(if: Exim.isInstalled, "needs exim4"))
struct BadReceiverTests {
    private let browser = BrowserSide(secret: Array(0..<16))

    @Test(arguments: ["gone", "missing"])
    func `A vanished subscription is removed and its owner notified`(_ path: String) async throws {
        try await Post.run { post in
            let installation = post.installation
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let phone = try await installation.phone(of: "ben")
            let push = try await Receiver.start(as: post.identity)
            try await post.addPush(browser, at: push.secureURL(path), of: "ben")
            _ = try await post.trigger()
            try await phone.hears("a lost channel", on: "kith/users/ben/notices") {
                $0["kind"] == "channel-lost"
            }
            #expect(try await post.channels(of: "ben").isEmpty)
            await push.stop()
        }
    }

    @Test func `Redirects are not followed, and endless responses are not read to the end`()
        async throws
    {
        try await Post.run { post in
            let installation = post.installation
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let victim = try await Receiver.start()
            let push = try await Receiver.start(as: post.identity)
            let redirected = try await post.addPush(
                browser, at: push.secureURL("to/\(victim.port)"), of: "ben")
            let big = try await post.addPush(browser, at: push.secureURL("big"), of: "ben")
            _ = try await post.trigger()
            let channels = try await eventually("both to be tried") {
                let channels = try await post.channels(of: "ben")
                let isTried = channels.allSatisfy {
                    $0["workedAt"] != .null || $0["failure"] != .null
                }
                return isTried ? channels : nil
            }
            #expect(
                channels.first { $0["channel"].text == redirected }?["failure"] == "refused")
            #expect(channels.first { $0["channel"].text == big }?["failure"] == .null)
            #expect(victim.messages.isEmpty)
            await victim.stop()
            await push.stop()
        }
    }

    @Test func `Webhooks reach the broker only if the operator allows it, and do no harm`()
        async throws
    {
        for (settings, failures) in [
            ([:], ["forbidden-address"]),
            (["KITH_CHANNELS_NETWORKS": "127.0.0.0/8"], ["refused", "unreachable", "timeout"]),
        ] {
            try await withInstallation(settings) { installation in
                _ = try await installation.family("ann", "ben")
                try await installation.start()
                let phone = try await installation.phone(of: "ann")
                for host in ["127.0.0.1", "localhost"] {
                    try await installation.done(
                        "ben", "channel.add",
                        #"{"kind":"webhook","url":"http://\#(host):\#(installation.port)/"}"#)
                }
                try await installation.done("ann", "sos.trigger")
                let channels = try await eventually("channels that fail") {
                    let list = try await installation.done("ben", "channel.list")["channels"]
                        .elements
                    return list.count == 2 && list.allSatisfy { $0["failure"] != .null }
                        ? list : nil
                }
                for channel in channels {
                    #expect(failures.contains(channel["failure"].text ?? ""), "\(channel)")
                }
                try await installation.done("ann", "sos.stop")
                #expect(!phone.hasEnded)
            }
        }
    }
}
