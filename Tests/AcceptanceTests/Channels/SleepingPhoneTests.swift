import Crypto
import TestBroker
import TestServers
import TestSupport
import Testing

/// Ben has nothing open. Ann calls for help.
@Suite(
    .serialized, .timeLimit(.minutes(Endurance.minutes)),
    .enabled(if: Exim.isInstalled, "needs exim4"))
struct SleepingPhoneTests {
    private let browser = BrowserSide(secret: Array(0..<16))
    private let address = "ben@example.org"

    @Test func `Push, mail and webhook arrive once each, and repeat until acknowledged`()
        async throws
    {
        try await Post.run(["KITH_ESCALATION_REPEAT_AFTER": "2"]) { post in
            let installation = post.installation
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let (push, hook) = try await (Receiver.start(as: post.identity), Receiver.start())
            // Each is notified of those that are added later.
            try await post.addMail(address, of: "ben")
            let secret = try await post.addWebhook(hook.url, of: "ben")
            try await post.addPush(browser, at: push.secureURL("push/ben"), of: "ben")

            let alert = try await post.trigger()
            let ids = { () async throws -> [[String]] in
                try await [
                    push.messages.compactMap { $0.opened(by: browser)["id"].text },
                    hook.messages.compactMap { $0["headers"]["webhook-id"].text },
                    post.mails(to: address).compactMap { $0["id"].text }
                        .filter { $0.contains(alert) },
                ]
            }
            // Also the first repetition, on each of them.
            let heard = try await eventually("the SOS, twice") {
                let ids = try await ids()
                return ids.allSatisfy { $0.count >= 2 } ? ids : nil
            }
            for ids in heard { #expect(Set(ids).count == ids.count, "\(ids)") }
            #expect(heard[0].first == alert && heard[1].first == alert)
            try await checkWords(post, push.messages, hook.messages, alert, secret)

            try await installation.done("ben", "alert.acknowledge", #"{"alert":"\#(alert)"}"#)
            // What was on its way still arrives.
            let known = try await ids()
            var last = known
            _ = try await eventually("no more repetitions") { () -> Bool? in
                let before = last
                try await Task.sleep(for: .seconds(4))
                last = try await ids()
                return last == before ? true : nil
            }
            #expect(zip(last, known).allSatisfy { $0.count <= $1.count + 2 }, "\(last)")

            let channels = try await post.channels(of: "ben")
            #expect(channels.count == 3)
            for channel in channels {
                #expect(channel["workedAt"] != .null && channel["failure"] == .null)
            }
            let log = await installation.log.joined(separator: "\n")
            for secret in [
                "127.0.0.1:\(push.port)", "127.0.0.1:\(hook.port)", "push/ben", "/hook", address,
                "46.05", "Ann", "Ben", "SOS", "whsec_", String(secret.dropFirst(6)), alert,
                base64URL(browser.secret), base64URL(browser.key.publicKey.x963Representation),
                "secret",
            ] {
                #expect(!log.contains(secret), "\(secret) in the log")
            }
            await push.stop()
            await hook.stop()
        }
    }

    private func checkWords(
        _ post: Post, _ pushes: [JSON], _ hooks: [JSON], _ alert: String, _ secret: String
    ) async throws {
        let push = try #require(pushes.first)
        let words = push.opened(by: browser)
        #expect(words["kind"] == "sos" && words["title"] == "Ann: SOS")
        #expect(words["alert"].text == alert && words["data"] == .null)
        #expect(push["headers"]["urgency"] == "high")
        let header = try #require(push["headers"]["authorization"].text)
        let authorization = try CheckedAuthorization(header)
        let key = try await post.installation.done("ben", "channel.list")["pushKey"].text
        #expect(authorization.publicKey == key)
        let origin = try #require(push["headers"]["host"].text)
        #expect(authorization.claims.aud == "https://\(origin)")

        #expect(hooks.allSatisfy { $0.isSigned(with: secret) })
        #expect(hooks.first?["body"]["data"]["fix"]["latitude"] == .number(46.0501))

        let mails = try await post.mails(to: address).filter {
            $0["id"].text?.contains(alert) == true
        }
        let mail = try #require(mails.first)
        #expect(mail["subject"] == "Ann: SOS" && mail["defects"].elements.isEmpty)
        #expect(mail["text"].text?.contains("46.05") == false)
    }

    @Test func `Each call reaches every receiver despite killed bridges and absent receivers`()
        async throws
    {
        try await Post.run { post in
            let installation = post.installation
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let ports = [Int(try reservePort()), Int(try reservePort())]
            try await post.addPush(
                browser, at: "https://127.0.0.1:\(ports[0])/push", of: "ben")
            try await post.addWebhook("http://127.0.0.1:\(ports[1])/hook", of: "ben")
            try await post.addMail(address, of: "ben")
            var moments = Moments()
            for round in 1...(Endurance.rounds + 1) / 2 {
                // Some are there from the beginning, some later.
                let isEarly = [Bool.random(using: &moments), Bool.random(using: &moments)]
                var early: [Receiver?] = [nil, nil]
                if isEarly[0] { early[0] = try await .start(at: ports[0], as: post.identity) }
                if isEarly[1] { early[1] = try await .start(at: ports[1]) }
                async let called = installation.ask(
                    "ann", "sos.trigger", #"{"id":"sos \#(round)"}"#)
                try await Task.sleep(for: moments.instant(within: 150))
                await installation.crash()
                for receiver in early { await receiver?.stop() }
                try await installation.start()
                _ = try await called
                let alert = try await post.trigger(round)
                let push = try await Receiver.start(at: ports[0], as: post.identity)
                let hook = try await Receiver.start(at: ports[1])
                let messages = { () -> (pushes: [JSON], hooks: [JSON]) in
                    let pushes = (early[0]?.messages ?? []) + push.messages
                    return (
                        pushes.map { $0.opened(by: browser) }.filter { $0["alert"].text == alert },
                        ((early[1]?.messages ?? []) + hook.messages).map { $0["body"] }
                            .filter { $0["alert"].text == alert }
                    )
                }
                let heard = try await eventually("the SOS, seed \(moments.seed)") {
                    let (heard, mails) = try await (messages(), post.mails(to: address))
                    let isMailed = mails.contains { $0["id"].text?.contains(alert) == true }
                    return isMailed && !heard.pushes.isEmpty && !heard.hooks.isEmpty ? heard : nil
                }
                #expect((heard.pushes + heard.hooks).allSatisfy { $0["id"].text == alert })
                await push.stop()
                await hook.stop()
                try await installation.done("ann", "sos.stop")
            }
        }
    }

    @Test func `A receiver that never answers does not delay other users' receivers`() async throws
    {
        try await Post.run { post in
            let installation = post.installation
            _ = try await installation.family("ann", "cleo", "ben")
            try await installation.start()
            let (hanging, hook) = try await (Receiver.start(), Receiver.start())
            // As many as a user may have; each hangs on the notification of those added after it.
            for number in 1...16 {
                try await post.addWebhook(
                    "http://127.0.0.1:\(hanging.port)/hang/\(number)", of: "cleo")
            }
            try await post.addWebhook(hook.url, of: "ben")
            let alert = try await post.trigger()
            _ = try await eventually("all of Cleo's that hang") {
                let calls = hanging.messages.filter { $0["body"]["alert"].text == alert }
                return calls.count == 16 ? true : nil
            }
            _ = try await eventually("Ben's") {
                hook.messages.first { $0["body"]["alert"].text == alert }
            }
            // Hers are still under way.
            let hers = try await post.channels(of: "cleo")
            #expect(hers.count == 16)
            for channel in hers {
                #expect(channel["workedAt"] == .null && channel["failure"] == .null)
            }
            try await installation.done("ann", "sos.stop")
            _ = try await eventually("the end at Ben's") {
                hook.messages.first { $0["body"]["kind"] == "sos-stopped" }
            }
            await hanging.stop()
            await hook.stop()
        }
    }
}
