import Contract
import TestSupport
import Testing

@testable import Gate

/// Clients that monitor the service from outside, with a token stored on another machine.
struct WatchingTests {
    @Test func `A metrics client reads only the status and the metrics`() async throws {
        try await withDoor { door in
            let watcher = try #require(door.enter("kith:metrics"))
            for filter in ["kith/system/#", "kith/system/status", "kith/system/metrics/+"] {
                #expect(door.subscribe(filter, by: watcher), "\(filter)")
            }
            for filter in [
                "kith/#", "#", "$SYS/#", "kith/users/alice/#", "kith/dispatch/#",
                FamilyTopic.alerts, "kith/bridge/connections",
            ] {
                #expect(!door.subscribe(filter, by: watcher), "\(filter)")
            }
            #expect(door.mayReceive("kith/system/metrics/fixes", watcher))
            #expect(!door.mayReceive(FamilyTopic.alerts, watcher))
            for topic in [
                "kith/system/status", "kith/system/metrics/fixes", FamilyTopic.alerts,
                "kith/users/alice/devices/phone/fix", "kith/guests/kith:metrics.1/requests/x",
            ] {
                #expect(door.publish(topic, by: watcher) != .allowed, "\(topic)")
            }
        }
    }

    @Test func `Metrics clients share a device's connection limit, without taken-over ones`()
        async throws
    {
        try await withDoor {
            $0.limits.connectionsOfUser = 3
        } _: { door in
            let all = try (1...3).map {
                try #require(door.enter("kith:metrics", id: "kith:metrics.\($0)"))
            }
            #expect(door.enter("kith:metrics", id: "kith:metrics.4") == nil)
            #expect(door.enter("kith:metrics", id: "kith:metrics.3") != nil)
            for client in [all[2], all[0]] { door.leave(client) }
            #expect(door.enter("kith:metrics", id: "kith:metrics.4") != nil)
            #expect(door.metric("gate-connections-put-off") == "1")
            for number in 1...10 {
                #expect(door.enter("kith:bridge", id: "kith:bridge.\(number)") != nil)
            }
        }
    }

    @Test func `Retained messages are charged to a metrics client, not to the operator`()
        async throws
    {
        try await withDoor { door in
            for (who, expected) in [("kith:metrics", true), ("kith:operator", false)] {
                let client = try #require(door.enter(who))
                #expect(door.subscribe("kith/system/metrics/+", by: client))
                let message = Gatekeeper.Delivery(
                    topic: "kith/system/metrics/fixes", size: 1, qos: 1)
                for _ in 0..<15_000 {
                    #expect(
                        door.gatekeeper.mayReceive(
                            message, client, payload: [],
                            absentee: .init(clientID: who, username: who), at: door.now))
                }
                door.tick()
                #expect(door.pauses() == (expected ? [.pause(client)] : []), "\(who)")
            }
        }
    }

    @Test func `A metrics client that does not read is disconnected, the operator is not`()
        async throws
    {
        try await withDoor { door in
            for (who, expected) in [("kith:metrics", true), ("kith:operator", false)] {
                let client = try #require(door.enter(who))
                door.measure(client)
                for _ in 0..<100 {
                    #expect(door.mayReceive("kith/system/status", client, size: 60_000))
                }
                var isCutOff = false
                for _ in 0..<40 {
                    door.pass(.seconds(1))
                    door.measure(client, isDrained: false)
                    isCutOff = isCutOff || door.cutOffs() == [who]
                }
                #expect(isCutOff == expected, "\(who)")
            }
        }
    }

    @Test func `Nothing is queued for an absent metrics client`() async throws {
        try await withDoor { door in
            #expect(
                !door.mayReceive(
                    "kith/system/status", door.newClient(), absentee: "kith:metrics",
                    id: "kith:metrics.7"))
            let client = try #require(
                door.enter("kith:metrics", id: "kith:metrics.7", isFive: true))
            #expect(door.subscribe("kith/system/#", by: client))
            door.leave(client)
            door.pass(.seconds(2))
            #expect(door.gatekeeper.sessions.isEmpty)
        }
    }

    @Test func `Each gate metric has a Prometheus name and type`() {
        var refusals = Refusals()
        _ = refusals.report(at: .zero, connected: 0, paused: 0)
        let names = refusals.report(at: .seconds(60), connected: 0, paused: 0).map(\.name)
        #expect(names.count > 15)
        for name in names { #expect(MetricRow.find(name)?.row.source == .gate, "\(name)") }
        let known = MetricRow.all.filter { $0.source == .gate }.map(\.name)
        #expect(Set(known) == Set(names))
    }
}
