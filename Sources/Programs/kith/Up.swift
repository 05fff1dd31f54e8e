import ArgumentParser
import Bridge
import Contract
import Foundation
import LocalBroker
import Logging
import Tracking
import Web

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run everything on this machine: Mosquitto, the bridge and the page.",
        discussion: """
            Mosquitto, the bridge and the page are child processes, which end with this program and \
            are restarted when they end by themselves. Mosquitto's configuration is made from \
            broker-config/; the gate, a plugin inside it, decides who may do what. \
            Mosquitto and the page accept connections from this machine only. To let phones \
            connect, use --for-phones, which makes a certificate, opens the ports of \
            broker-config/production.conf, and serves the page with HTTPS; docs/production.md \
            describes how to do each separately. SIGHUP reloads \
            settings that can change at runtime, has the page reload its certificate, and restarts \
            Mosquitto if its own has changed, or with --broker-config (docs/installing.md); closing the \
            terminal ends everything.
            """)

    @OptionGroup var options: DataOptions

    @Option(help: "The broker's port. Default: broker.port in the configuration.")
    var port: UInt16?

    @Option(help: "The page's port.")
    var webPort: Int?

    @Option(help: "The directory of the page's files. Default: the one beside this program.")
    var pages: String?

    @Option(help: "The template of the broker's configuration. Default: the one in broker-config/.")
    var brokerConfig: String?

    @Option(
        help: """
            The page's map: osm (OpenStreetMap's own tiles; its server learns who \
            looks where), none (the bundled world), or an MBTiles file. Default: web.map or \
            web.tiles in the configuration, or what kith map add has installed; the demo has a \
            street map of its own.
            """)
    var map: MapChoice?

    @Option(
        help: ArgumentHelp(
            "Let phones connect: the host name or IPv4 address under which they reach this machine. "
                + "The page's port is then 8443.", valueName: "name"))
    var forPhones: String?

    @Flag(help: "Show what Kith does, with five simulated people.")
    var demo = false

    @Option(help: .hidden)
    var part: UpPart?

    func run() async throws {
        var options = options
        // Keeps the demo's people out of the user's own data.
        if demo { options.givenData = options.givenData ?? "kith-demo" }
        guard let part else { return try await Supervisor(self, options).run() }
        let demoToken = UpPart.takeEnvironment()
        switch part {
        case .bridge: try await bridgeProgram(options).run()
        case .page: try await pageProgram(options, demoToken).run()
        }
    }

    private func bridgeProgram(_ options: DataOptions) async throws -> BridgeProgram {
        BridgeProgram(
            options: options, settings: try await settings(options).bridge, adjust: adjust,
            isPart: true)
    }

    private func pageProgram(_ options: DataOptions, _ demoToken: DeviceToken?) async throws
        -> PageProgram
    {
        var settings = try await settings(options).web
        settings.pages = try pagesDirectory
        settings.demo = demoToken
        return PageProgram(options: options, settings: settings, isPart: true)
    }
}

// MARK: The command line's settings

extension Up {
    /// Returns the settings of the bridge and of the page.
    func settings(_ options: DataOptions) async throws -> (bridge: BridgeSettings, web: WebSettings)
    {
        var bridge = try await options.settings()
        bridge.broker.host = "127.0.0.1"
        bridge.broker.port = Int32(brokerPort(bridge))
        adjust(&bridge)
        bridge.broker.hasGate = try hasGate(try template)
        var web = try await options.webSettings()
        web.broker.host = bridge.broker.host
        web.broker.port = bridge.broker.port
        web.server.port = webPort ?? web.server.port
        if let phones = try phones(options) {
            try phones.apply(to: &web, port: webPort)
            web.server.certificate = phones.files
            bridge.channels.page = web.server.origin
            web.sendsLinks = bridge.channels.mail != nil
        }
        if let map {
            map.apply(to: &web)
        } else if demo, web.map == nil, web.tiles == nil {
            web.map = DemoMap.find()
        }
        return (bridge, web)
    }

    /// Applies the command line's changes to a bridge's configuration.
    @Sendable func adjust(_ settings: inout BridgeSettings) {
        if demo {
            settings.rules.stuckAfter = Demo.stuckAfter
            settings.closedToStrangers = Demo.names
        }
    }

    func brokerPort(_ settings: BridgeSettings) -> UInt16 { port ?? UInt16(settings.broker.port) }

    func phones(_ options: DataOptions) throws -> PhoneAccess? {
        try forPhones.map { try PhoneAccess(name: $0, data: options.data) }
    }

    var template: String {
        get throws { try brokerConfig ?? BrokerTemplate.find(isForPhones: forPhones != nil) }
    }

    var pagesDirectory: String { get throws { try pages ?? PagesDirectory.find() } }

    private func hasGate(_ template: String) throws -> Bool {
        do {
            return try String(contentsOfFile: template, encoding: .utf8).contains("@GATE@")
        } catch {
            throw Complaint("The broker's configuration \(template) cannot be read.")
        }
    }
}
