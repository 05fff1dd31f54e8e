import TestBroker
import TestSupport
import Testing

/// A broker that is away or refuses the bridge: the bridge logs it once and keeps trying.
@Suite(.timeLimit(.minutes(2)))
struct BrokerTests {
    @Test func `An absent broker is logged once, and found when it returns`() async throws {
        try await withInstallation { installation in
            try await installation.start()
            // On a busy machine the gate may have disconnected it already.
            let start = await installation.log.count
            await installation.broker.kill()
            _ = try await eventually("a complaint") {
                await installation.log.dropFirst(start).contains {
                    $0.contains("Connection refused")
                }
                    ? true : nil
            }
            try await Task.sleep(for: .seconds(4))
            let log = await installation.log.dropFirst(start)
            // That the connection was lost, and that there is no broker.
            for reason in ["The connection was lost", "Connection refused"] {
                #expect(log.count { $0.contains(reason) } <= 1, "\(log)")
            }
            #expect(log.count { $0.contains("cannot be reached") } <= 2, "\(log)")
            try await installation.startBroker()
            _ = try await eventually("another connection") {
                await installation.log.dropFirst(start).contains {
                    $0.contains("Connected to the broker")
                }
                    ? true : nil
            }
        }
    }

    /// As one whose gate is of an earlier version, and knows fewer topics.
    @Test func `A broker that refuses the bridge a topic is logged once`() async throws {
        try await withInstallation(["KITH_TOPICS_ROOT": "elsewhere"]) { installation in
            await installation.launch()
            _ = try await eventually("a complaint") {
                await installation.log.contains { $0.contains("refuses the bridge a topic") }
                    ? true : nil
            }
            try await Task.sleep(for: .seconds(3))
            let log = await installation.log
            #expect(log.count { $0.contains("refuses the bridge a topic") } == 1, "\(log)")
            #expect(!log.contains { $0.contains("Connected to the broker") }, "\(log)")
            #expect(await installation.ending == nil, "it goes on trying")
        }
    }

    @Test func `Refused credentials are logged once, without their values`() async throws {
        let settings = ["KITH_BROKER_USERNAME": "kith:bridge", "KITH_BROKER_PASSWORD": "Sesame17"]
        try await withInstallation(settings) { installation in
            await installation.launch()
            _ = try await eventually("a complaint") {
                await installation.log.contains { $0.contains("refuses the bridge's name") }
                    ? true : nil
            }
            try await Task.sleep(for: .seconds(3))
            let log = await installation.log
            #expect(log.count { $0.contains("refuses the bridge's name") } == 1, "\(log)")
            #expect(!log.contains { $0.contains("Sesame17") })
            #expect(await installation.ending == nil, "it goes on trying")
        }
    }
}
