import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RepeatedRequestTests {
    /// After a restart a broker counts its packets from 1 again, so a request may have the same
    /// packet identifier as an earlier one with the same content.
    @Test func `A request without an id is executed again after a broker restart`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            for _ in 1...3 {
                try await change("sharing.start", to: "active", installation, group)
                try await change("sharing.stop", to: "inactive", installation, group)
                try await installation.crashBroker()
            }
        }
    }

    private func change(
        _ method: String, to state: String, _ installation: Installation, _ group: String
    ) async throws {
        let topic = Topic.member(group, "ann")
        try await installation.done("ann", method, #"{"groups":"all"}"#)
        let view = try await installation.listen(as: .device("ben"), to: topic)
        try await view.hears(state, on: topic) { $0["state"].text == state }
        await view.kill()
    }
}
