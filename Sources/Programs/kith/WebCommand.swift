import ArgumentParser
import Web

struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Serve the page with a broker that is already running.",
        discussion: """
            Serves pages, requests and events to browsers. It has no rights of its own: it does \
            everything over MQTT, with the caller's token. The broker's address is \
            broker.host and broker.port in the configuration. It speaks plain HTTP, and only to \
            this machine: put a TLS proxy in front of it, as docs/production.md describes.
            """)

    @OptionGroup var options: DataOptions

    @Option(help: "The port; 0 for any free one.")
    var port: Int?

    @Option(help: "The directory of the page's files. Default: the one beside this program.")
    var pages: String?

    func run() async throws {
        var settings = try await options.webSettings()
        settings.server.port = port ?? settings.server.port
        settings.pages = try pages ?? PagesDirectory.find()
        try await PageProgram(options: options, settings: settings).run()
    }
}
