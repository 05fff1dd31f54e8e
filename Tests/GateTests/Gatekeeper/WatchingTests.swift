import Contract
import TestTown
import Testing

@testable import Gate

/// Whoever watches the service from outside, with a token that lies on another machine.
struct WatchingTests {
    @Test func `They read the status and the metrics, and do nothing else`() async throws {
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

    @Test func `Prometheus knows each of the gate's metrics by a name and a type`() {
        var refusals = Refusals()
        _ = refusals.report(at: .zero, connected: 0, paused: 0)
        let names = refusals.report(at: .seconds(60), connected: 0, paused: 0).map(\.name)
        #expect(names.count > 15)
        for name in names { #expect(MetricRow.find(name)?.row.source == .gate, "\(name)") }
        let known = MetricRow.all.filter { $0.source == .gate }.map(\.name)
        #expect(Set(known) == Set(names))
    }
}
