import ArgumentParser
import Bridge
import Logging
import ServiceLifecycle
import UnixSignals
import Web

struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Run the page, against a broker that runs already.",
        discussion: """
            Pages, requests and events for browsers. It has no rights of its own: whatever it does \
            it does over MQTT, with the token of whoever asks. The broker's address is broker.host \
            and broker.port in the configuration. It speaks plain HTTP, to this machine alone: put \
            a proxy with TLS in front of it, see docs/production.md.
            """)

    @OptionGroup var options: DataOptions

    @Option(help: "The port; 0: one that is free.")
    var port: Int?

    @Option(help: "The directory of the page's files, if they are not beside this program.")
    var pages: String?

    func run() async throws {
        var settings = try await options.webSettings()
        settings.server.port = port ?? settings.server.port
        settings.pages = try pages ?? PagesDirectory.find()
        let address = settings.address
        let logger = options.logger("kith")
        let web = try Web(settings, version: kithVersion, logger: logger) { port in
            logger.info("The page is at \(address(port))")
        }
        HangUp.ignoreIfNoEnd()
        let group = ServiceGroup(
            services: [web],
            gracefulShutdownSignals: [.sigterm, .sigint] + (HangUp.isEnd ? [.sighup] : []),
            logger: logger)
        try await group.run()
    }
}

extension WebSettings {
    /// The URL of the page.
    func address(_ port: Int) -> String {
        server.origin ?? "http://\(server.address):\(port)/"
    }
}
