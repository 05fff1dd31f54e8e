import Testing
import Transfer

@Suite(.timeLimit(.minutes(1))) struct BadMailServerTests {
    private let client = TransferClient()

    private func mail(
        to: String, _ port: Int, from: String = "kith@example.org",
        security: MailServer.Security = .none, host: String = "127.0.0.1",
        lane: TransferLane = .ordinary, limits: TransferLimits = patient
    ) throws(TransferError) -> MailSubmission {
        try MailSubmission(
            by: MailServer(host: host, port: port, security: security), from: from,
            to: to, message: Array("Subject: x\r\n\r\n.\r\nHello\r\n".utf8), lane: lane,
            limits: limits)
    }

    @Test(arguments: [
        ("ann", 250), ("450", 450), ("452", 452), ("550", 550), ("data-451", 451),
        ("data-554", 554),
    ])
    func `Replies count at the recipient and after the message`(_ recipient: String, _ code: Int)
        async throws
    {
        try await withServer("smtp_server.py") { port in
            let reply = try await client.send(mail(to: "\(recipient)@example.org", port))
            #expect(reply.code == code)
            #expect(reply.isAccepted == (code == 250))
            #expect(reply.isTemporary == (code / 100 == 4))
        }
    }

    @Test(arguments: [
        ("kith", "550", true), ("kith", "550.5.1.1", true), ("kith", "553", true),
        ("kith", "550.relay", false), ("kith", "550.sender-verify-failed", false),
        ("kith", "550.5.1.0", false), ("kith", "504.5.5.2", false), ("kith", "550.5.2.1", true),
        ("kith", "554", false), ("kith", "554.5.7.1", false), ("kith", "550.5.7.1", false),
        ("kith", "550.5.1.8", false), ("550", "ann", false), ("550.5.1.8", "ann", false),
        ("kith", "data-554", false), ("kith", "450", false), ("kith", "ann", false),
    ])
    func `Only a permanently refused recipient is gone, not one that may not be served`(
        _ sender: String, _ recipient: String, _ isGone: Bool
    ) async throws {
        try await withServer("smtp_server.py") { port in
            let reply = try await client.send(
                mail(to: "\(recipient)@example.org", port, from: "\(sender)@example.org"))
            #expect(reply.isAboutRecipient == isGone)
        }
    }

    /// RFC 3463, 3.3: the recipient can make room.
    @Test(arguments: [
        ("552", true), ("552.5.2.2", true), ("550.5.2.2", true), ("data-552.5.2.2", true),
        ("data-554.5.2.2", true), ("550.5.1.1", false), ("554.5.7.1", false),
        ("550.5.2.21", false), ("data-554", false),
    ])
    func `A full mailbox is a temporary failure`(_ recipient: String, _ isTemporary: Bool)
        async throws
    {
        try await withServer("smtp_server.py") { port in
            let reply = try await client.send(mail(to: "\(recipient)@example.org", port))
            #expect(!reply.isAccepted)
            #expect(reply.isTemporary == isTemporary)
        }
    }

    @Test func `A connection dropped after the message is not an acceptance`() async throws {
        try await withServer("smtp_server.py") { port in
            let error = await failure { () throws(TransferError) in
                try await client.send(mail(to: "drop@example.org", port))
            }
            #expect(error == .brokenOff)
            #expect(error?.isTemporary == true)
            // The next message is unaffected.
            let next = try await client.send(mail(to: "ann@example.org", port))
            #expect(next.code == 250)
        }
    }

    /// Each ordinary thread waits for its server's final reply.
    @Test func `A server hanging after the message delays neither requests nor urgent mail`()
        async throws
    {
        try await withServer("smtp_server.py") { port in
            let hanging = try mail(to: "hang@example.org", port)
            let hung = (0..<4 * TransferClient.mailThreads).map { _ in
                Task {
                    await failure { () throws(TransferError) in try await client.send(hanging) }
                }
            }
            let urgent = try await client.send(mail(to: "ann@example.org", port, lane: .urgent))
            #expect(urgent.code == 250)
            let request = try HTTPRequest(
                to: Endpoint("https://127.0.0.1:\(port)/"), limits: patient)
            let refused = await failure { () throws(TransferError) in
                try await client.send(request)
            }
            #expect(refused == .refusedAddress)
            await client.close()
            for task in hung { #expect(await task.value == .cancelled) }
        }
    }

    /// Its connection carried another message before.
    @Test func `A message on a reused connection can be cancelled`() async throws {
        try await withServer("smtp_server.py") { port in
            let threads = TransferClient.mailThreads
            let fine = try mail(to: "ann@example.org", port)
            let sent = (0..<threads).map { _ in Task { try await client.send(fine).code } }
            for task in sent { #expect(try await task.value == 250) }
            let hanging = try mail(to: "hang@example.org", port)
            let hung = (0..<threads).map { _ in
                Task {
                    await failure { () throws(TransferError) in try await client.send(hanging) }
                }
            }
            let barrier = try mail(to: "hanging-\(threads)@example.org", port, lane: .urgent)
            #expect(try await client.send(barrier).code == 250)
            for task in hung { task.cancel() }
            for task in hung { #expect(await task.value == .cancelled) }
            #expect(try await client.send(fine).code == 250)
        }
    }

    @Test func `A server that hangs after the message is given up`() async throws {
        try await withServer("smtp_server.py") { port in
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(mail(to: "hang@example.org", port, limits: impatient))
                } == .timedOut)
        }
    }

    @Test func `Mail is not sent without the required encryption`() async throws {
        try await withServer("smtp_server.py") { port in
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(mail(to: "ann@example.org", port, security: .startTLS))
                } == .unencrypted)
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(mail(to: "ann@example.org", port, security: .tls))
                } == .tls)
        }
    }

    /// 0.0.0.0 reaches this machine, but is not one of its names.
    @Test func `Unencrypted mail is sent to this machine only`() async throws {
        try await withServer("smtp_server.py") { port in
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(mail(to: "ann@example.org", port, host: "0.0.0.0"))
                } == .refusedAddress)
            let reply = try await client.send(mail(to: "ann@example.org", port, host: "localhost"))
            #expect(reply.code == 250)
        }
    }

    @Test func `A server too busy to greet is a temporary failure`() async throws {
        try await withServer("smtp_server.py", ["421 too busy"]) { port in
            let reply = try await client.send(mail(to: "ann@example.org", port))
            #expect(reply.code == 421 && reply.isTemporary)
        }
        try await withServer("smtp_server.py", ["300 what?"]) { port in
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(mail(to: "ann@example.org", port))
                } == .protocolViolation)
        }
    }
}
