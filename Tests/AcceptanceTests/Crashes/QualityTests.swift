import TestSupport
import Testing

/// Calls for help while the bridge is away, with stock clients.
@Suite(.timeLimit(.minutes(2)))
struct QualityTests {
    @Test(arguments: ["0", "1"])
    func `A call made while the bridge is away is published when it is back`(_ qos: String)
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let ben = try await installation.listen(as: .device("ben"), to: Topic.alerts(group))
            await installation.crash()
            try await installation.publish(
                Topic.device("ann") + "/requests/sos.trigger", "{}", ["-q", qos])
            #expect(ben.heard.isEmpty)
            try await installation.start()
            try await ben.hears("the SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
        }
    }
}
