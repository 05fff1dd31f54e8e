import Testing
import Transfer

@Suite(.timeLimit(.minutes(1))) struct ManyTransfersTests {
    private func request(
        _ path: String, _ port: Int, _ lane: TransferLane = .ordinary
    ) throws(TransferError) -> HTTPRequest {
        try HTTPRequest(
            to: Endpoint("http://127.0.0.1:\(port)/\(path)"), addresses: loopback, lane: lane,
            limits: patient)
    }

    @Test func `A hanging server delays no other server and nothing urgent`() async throws {
        let client = TransferClient(http: TransferBounds(atOnce: 4, perHost: 2))
        try await withServer("http_server.py") { hanging in
            try await withServer("http_server.py") { other in
                let hung = try (0..<20).map { _ in
                    let request = try request("hang", hanging)
                    return Task {
                        await failure { () throws(TransferError) in
                            try await client.send(request)
                        }
                    }
                }
                for _ in 0..<20 {
                    #expect(try await client.send(request("status/200", other)).status == 200)
                }
                #expect(
                    try await client.send(request("status/200", hanging, .urgent)).status == 200)
                for task in hung { task.cancel() }
                for task in hung { #expect(await task.value == .cancelled) }
                // The room is free again.
                #expect(try await client.send(request("status/200", hanging)).status == 200)
            }
        }
    }

    @Test func `A host's concurrency is bounded, and every request completes`() async throws {
        let client = TransferClient(http: TransferBounds(atOnce: 100, perHost: 3))
        try await withServer("http_server.py") { port in
            let slow = try request("slow/0.05", port)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<30 { group.addTask { try await client.send(slow).status } }
                for try await status in group { #expect(status == 200) }
            }
            let counts = try await client.send(request("counts", port))
            let text = String(decoding: counts.body, as: UTF8.self)
            #expect(text.contains(#""most": 3,"#), "\(text)")
        }
    }

    @Test func `Waiting requests are bounded`() async throws {
        let client = TransferClient(
            http: TransferBounds(atOnce: 1, perHost: 1, waiting: 1))
        try await withServer("http_server.py") { port in
            let request = try request("hang", port)
            let results = await withTaskGroup(of: TransferError?.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        await failure { () throws(TransferError) in try await client.send(request) }
                    }
                }
                var results: [TransferError?] = []
                // One is under way and at most one waits.
                for await result in group.prefix(8) { results.append(result) }
                group.cancelAll()
                return results
            }
            #expect(results == Array(repeating: .busy, count: 8))
        }
    }

    @Test func `A closed client has cancelled everything`() async throws {
        let client = TransferClient()
        try await withServer("http_server.py") { port in
            let request = try request("hang", port)
            let hung = (0..<5).map { _ in
                Task {
                    await failure { () throws(TransferError) in try await client.send(request) }
                }
            }
            _ = try await client.send(self.request("status/200", port))
            await client.close()
            for task in hung { #expect(await task.value == .cancelled) }
            #expect(
                await failure { () throws(TransferError) in try await client.send(request) }
                    == .cancelled)
            await client.close()
        }
    }

    @Test func `A cancelled task sends nothing`() async throws {
        let client = TransferClient()
        try await withServer("http_server.py") { port in
            let request = try request("hang", port)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await failure { () throws(TransferError) in try await client.send(request) }
            }
            #expect(await task.value == .cancelled)
        }
    }
}
