import TestJSON
import Testing

/// Calls for help while the bridge is away, with stock clients.
@Suite(.timeLimit(.minutes(2)))
struct QualityTests {
    @Test(arguments: ["0", "1"])
    func `A call while the bridge is away is heard when it is back`(_ qos: String) async throws {
        try await withInstallation { house in
            let group = try await house.family("ann", "ben")
            try await house.start()
            let ben = try await house.listen(as: .device("ben"), to: Topic.alerts(group))
            await house.crash()
            try await house.publish(
                Topic.device("ann") + "/requests/sos.trigger", "{}", ["-q", qos])
            #expect(ben.heard.isEmpty)
            try await house.start()
            try await ben.hears("the SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
        }
    }
}
