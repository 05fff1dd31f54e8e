import Foundation
import TestBroker
import TestSupport
import Testing

/// How the operator is notified.
@Suite(.timeLimit(.minutes(3)))
struct OperatorNotifyTests {
    /// What was posted, as text.
    private func texts(_ receiver: Receiver) -> [String] {
        receiver.messages.compactMap { message in
            message["raw"].text.flatMap { Data(base64Encoded: $0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `kith test sends by each configured way and reports which one fails`() async throws {
        let (receiver, post) = (try await Receiver.start(), try await MailReceiver.start())
        let nowhere = try reservePort()
        try await withTemporaryDirectory { directory in
            try Program.beginData(directory)
            func test(_ variables: [String: String]) async throws -> Ending {
                try await Program.run(
                    Program.kith, ["test", "--data", directory], environment: variables)
            }
            let none = try await test([:])
            #expect(none.status == 1 && none.errors.contains("operator.webhook"), "\(none)")
            let asked = try await Program.run(
                Program.kith, ["test", "operator", "ldap", "push", "phones", "--data", directory])
            #expect(asked.status == 1)
            #expect(
                asked.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
                    "operator", "ldap", "push", "phones",
                ])
            #expect(!asked.output.contains("sent") && !asked.output.contains("answers"))
            var variables = post.settings
            variables["KITH_OPERATOR_MAIL"] = "op@example.org"
            variables["KITH_OPERATOR_WEBHOOK"] = receiver.url
            let all = try await test(variables)
            #expect(all.status == 0, "\(all)")
            #expect(all.output == "operator.mail: sent\noperator.webhook: sent\n")
            #expect(texts(receiver).first?.hasPrefix("A test of Kith\n") == true)
            let mail = try await eventually("a mail") { post.mails.first }
            #expect(mail["to"] == "op@example.org")
            let ann = try await Program.run(
                Program.kith, ["test", "mail", "--to", "ann@example.org", "--data", directory],
                environment: variables)
            #expect(ann.status == 0 && ann.output == "mail: sent\n", "\(ann)")
            let second = try await eventually("a mail") { post.mails.dropFirst().first }
            #expect(second["to"] == "ann@example.org")
            for (networks, words) in [("127.0.0.0/8", "webhook: sent\n"), ("", "it failed")] {
                variables["KITH_CHANNELS_NETWORKS"] = networks.isEmpty ? nil : networks
                let hook = try await Program.run(
                    Program.kith, ["test", "webhook", "--to", receiver.url, "--data", directory],
                    environment: variables)
                #expect(hook.output.contains(words), "\(hook)")
            }
            variables["KITH_OPERATOR_WEBHOOK"] = "http://127.0.0.1:\(nowhere)/secret"
            let bad = try await test(variables)
            #expect(bad.status == 1 && bad.output.contains("operator.webhook: it failed"), "\(bad)")
            #expect(!"\(bad)".contains("secret"))
            // An invalid address.
            variables["KITH_OPERATOR_WEBHOOK"] = "ntfy.example.org/secret"
            let wrong = try await test(variables)
            #expect(wrong.errors.contains("operator.webhook must be an address"), "\(wrong)")
            #expect(!wrong.errors.contains("secret"))
        }
        await receiver.stop()
        await post.stop()
    }

    @Test func `A bridge without a broker notifies its operator after a minute, and once`()
        async throws
    {
        let receiver = try await Receiver.start()
        try await withTemporaryDirectory { directory in
            let bridge = RunningProgram(
                Program.kith, ["serve", "--data", directory],
                environment: [
                    "KITH_OPERATOR_WEBHOOK": receiver.url,
                    "KITH_BROKER_PORT": "\(try reservePort())",
                ])
            _ = try await eventually("a message: \(bridge.lines)", within: .seconds(100)) {
                receiver.messages.first
            }
            let text = texts(receiver).first ?? ""
            #expect(text.contains("The bridge cannot reach the broker"), "\(text)")
            try await Task.sleep(for: .seconds(3))
            #expect(receiver.messages.count == 1)
            await bridge.end(SIGTERM)
        }
        await receiver.stop()
    }
}
