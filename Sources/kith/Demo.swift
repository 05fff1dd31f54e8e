import Bridge
import ServiceLifecycle

/// Five invented people who move about, for whoever wants to see it work.
struct Demo: Service {
    let databasePath: String
    let settings: BridgeSettings
    let port: UInt16

    init(databasePath: String, _ settings: BridgeSettings, port: UInt16) {
        self.databasePath = databasePath
        self.settings = settings
        self.port = port
    }

    func prepare() async throws {}
    func run() async throws { try await gracefulShutdown() }
}
