import TestBroker
import Testing

/// A broker that is away or refuses the bridge: the bridge logs it once and keeps trying.
@Suite(.timeLimit(.minutes(2)))
struct BrokerTests {
    @Test func `A broker that is away is told once, and found again`() async throws {
        try await withInstallation { house in
            try await house.start()
            // On a busy machine the gate may have cut it off already.
            let start = await house.log.count
            await house.broker.kill()
            _ = try await eventually("a complaint") {
                await house.log.dropFirst(start).contains { $0.contains("Connection refused") }
                    ? true : nil
            }
            try await Task.sleep(for: .seconds(4))
            let log = await house.log.dropFirst(start)
            // That the connection was lost, and that there is no broker.
            for reason in ["The connection was lost", "Connection refused"] {
                #expect(log.count { $0.contains(reason) } <= 1, "\(log)")
            }
            #expect(log.count { $0.contains("cannot be reached") } <= 2, "\(log)")
            try await house.startBroker()
            _ = try await eventually("another connection") {
                await house.log.dropFirst(start).contains { $0.contains("Connected to the broker") }
                    ? true : nil
            }
        }
    }

    /// As one whose gate is of an earlier version, and knows fewer topics.
    @Test func `A broker that refuses the bridge a topic is told once`() async throws {
        try await withInstallation(["KITH_TOPICS_ROOT": "elsewhere"]) { house in
            await house.launch()
            _ = try await eventually("a complaint") {
                await house.log.contains { $0.contains("refuses the bridge a topic") } ? true : nil
            }
            try await Task.sleep(for: .seconds(3))
            let log = await house.log
            #expect(log.count { $0.contains("refuses the bridge a topic") } == 1, "\(log)")
            #expect(!log.contains { $0.contains("Connected to the broker") }, "\(log)")
            #expect(await house.ending == nil, "it goes on trying")
        }
    }

    @Test func `Credentials that the broker refuses are told once, without them`() async throws {
        let settings = ["KITH_BROKER_USERNAME": "kith:bridge", "KITH_BROKER_PASSWORD": "Sesame17"]
        try await withInstallation(settings) { house in
            await house.launch()
            _ = try await eventually("a complaint") {
                await house.log.contains { $0.contains("refuses the bridge's name") } ? true : nil
            }
            try await Task.sleep(for: .seconds(3))
            let log = await house.log
            #expect(log.count { $0.contains("refuses the bridge's name") } == 1, "\(log)")
            #expect(!log.contains { $0.contains("Sesame17") })
            #expect(await house.ending == nil, "it goes on trying")
        }
    }
}
