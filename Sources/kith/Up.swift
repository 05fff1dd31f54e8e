import ArgumentParser
import Bridge
import Contract
import Foundation
import LocalBroker
import Logging
import ServiceLifecycle
import Tracking
import UnixSignals
import Web

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run everything on this machine: Mosquitto, the bridge and the page.",
        discussion: """
            Mosquitto runs as a child process, with a configuration made from broker-config/, and \
            ends with this program. The gate, a plugin inside Mosquitto, decides who may do what. \
            Mosquitto and the page accept connections from this machine only. To let phones \
            connect, use --for-phones, which makes a certificate, opens the ports of \
            broker-config/production.conf, and serves the page with HTTPS; docs/production.md \
            describes how to do each by itself. SIGHUP restarts Mosquitto \
            with its current certificates, has the page take its own anew, and takes over settings \
            that can change meanwhile (docs/installing.md); closing the terminal ends everything.
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
            What the page shows as its map: osm (OpenStreetMap's own tiles; its server learns who \
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

    func run() async throws {
        // Keeps the demo's people out of the user's own data.
        var options = options
        if demo { options.givenData = options.givenData ?? "kith-demo" }
        try await run(options)
    }

    private func run(_ options: DataOptions) async throws {
        var settings = try await options.settings()
        let port = port ?? UInt16(settings.broker.port)
        settings.broker.host = "127.0.0.1"
        settings.broker.port = Int32(port)
        settings.describePlace = CityFiles.describePlace()
        if demo { settings.rules.stuckAfter = Demo.stuckAfter }
        var web = try await options.webSettings()
        web.broker.host = "127.0.0.1"
        web.broker.port = Int32(port)
        web.server.port = webPort ?? web.server.port
        let phones = try forPhones.map { try PhoneAccess(name: $0, data: options.data) }
        let template = try brokerConfig ?? BrokerTemplate.find(isForPhones: phones != nil)
        settings.broker.hasGate = try hasGate(template)
        let brokerSettings = try brokerSettings(
            template, options.data, port, root: settings.topics.root)
        web.pages = try pages ?? PagesDirectory.find()
        if let phones {
            try phones.apply(to: &web, port: webPort)
            settings.channels.page = web.server.origin
            web.sendsLinks = settings.channels.mail != nil
        }
        // A configuration of somebody's own has ports of its own.
        try checkPorts(port, web.server, brokerConfig == nil ? phones?.ports ?? [] : [])
        let logger = try await options.logger("kith")
        try options.makeDirectory(logger)
        web.server.certificate = try phones?.certificate(logger)
        try chooseMap(&web, keptIn: options.data)
        let broker = LocalBroker(brokerSettings, logger: logger)
        let signs = Signs()
        let bridge = Bridge(databasePath: options.databasePath, settings, logger: logger) {
            signs.bridge.beat(isServing: $0)
        }
        let notifier = signs.notifier(broker)
        var services: [any Service] = [BrokerService(broker: broker)]
        services.append(BridgeOnBroker(bridge: bridge, broker: broker))
        if demo {
            let demo = try await Demo(databasePath: options.databasePath, settings, port: port)
            web.demo = demo.browser
            services.append(demo)
        }
        let page = try page(web, phones, signs.page, logger)
        services.append(page)
        let certificates = phones.map { CertificateWatch($0, page, broker, logger) }
        if let certificates { services.append(certificates) }
        if !HangUp.isEnd {
            let isDemo = demo
            let reload = try SettingsReload(options, bridge, logger) { settings in
                if isDemo { settings.rules.stuckAfter = Demo.stuckAfter }
            }
            // Mosquitto's own way to reload certificates leaves out the WebSocket listeners: it is
            // started again with its saved state.
            services.append(
                Reload(notifier: notifier) {
                    await reload.run()
                    if certificates?.look() != .unusable { broker.renew() }
                })
        }
        // Told to end first, it says so first.
        services.append(notifier)
        let group = ServiceGroup(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint] + (HangUp.isEnd ? [.sighup] : []),
            logger: logger)
        try await group.run()
        Bridge.leaveOneFile(options.databasePath)
    }
}

extension Up {
    private func chooseMap(_ web: inout WebSettings, keptIn data: String) throws {
        if let map {
            map.apply(to: &web)
        } else if web.map == nil, web.tiles == nil {
            if demo {
                web.map = DemoMap.find()
            } else if MapChoice.kept(in: data) == nil {
                try MapChoice.ask(keptIn: data)?.apply(to: &web)
            }
        }
    }

    private func page(
        _ settings: WebSettings, _ phones: PhoneAccess?, _ pulse: Pulse, _ logger: Logger
    ) throws -> Web {
        let isDemo = demo
        return try Web(
            settings, version: kithVersion, commit: kithCommit ?? "development", logger: logger
        ) { port in
            pulse.beat(isServing: true)
            let address = settings.address(port)
            logger.info("The page is at \(address)")
            if isDemo { Demo.tell(page: address) }
            guard let phones else { return PhoneAccess.tellHow() }
            do {
                try phones.tell(page: address)
            } catch {
                logger.error("\(error)")
            }
        }
    }

    /// Before anything is started, and before anybody is told where the page is.
    private func checkPorts(
        _ port: UInt16, _ page: WebSettings.Server, _ others: [ListeningPort]
    ) throws {
        try ListeningPort.check(
            [
                ListeningPort(
                    address: "127.0.0.1", number: Int(port), purpose: "the broker",
                    setting: "--port, or broker.port in the configuration"),
                ListeningPort(
                    address: page.address, number: page.port, purpose: "the page",
                    setting: "--web-port, or web.port in the configuration"),
            ] + others)
    }

    private func hasGate(_ template: String) throws -> Bool {
        do {
            return try String(contentsOfFile: template, encoding: .utf8).contains("@GATE@")
        } catch {
            throw Complaint("The broker's configuration \(template) cannot be read.")
        }
    }

    private func brokerSettings(
        _ template: String, _ data: String, _ port: UInt16, root: String
    ) throws -> BrokerSettings {
        var settings = BrokerSettings(
            template: template, dataDirectory: "\(data)/broker", port: port)
        let data = URL(fileURLWithPath: data).path
        settings.variables = [
            "GATE": try GateLibrary.find(), "DATABASE": "\(data)/kith.db", "ROOT": root,
            "CERTIFICATES": "\(data)/certificates",
        ]
        return settings
    }
}

/// The signs of life of the parts.
private struct Signs {
    let broker = Pulse("the broker")
    let bridge = Pulse("the bridge")
    let page = Pulse("the page")

    func notifier(_ localBroker: LocalBroker) -> SystemdNotifier {
        let (broker, page) = (broker, page)
        return SystemdNotifier([broker, bridge, page]) {
            // A process that ends is started again by ourselves.
            broker.beat(isServing: localBroker.processIdentifier != nil)
            await page.beatOnceAnswered()
        }
    }
}

/// Mosquitto, which is ended last.
private struct BrokerService: Service {
    let broker: LocalBroker

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await broker.run() }
    }
}

/// The bridge, started once the broker is ready.
private struct BridgeOnBroker: Service {
    let bridge: Bridge
    let broker: LocalBroker

    func run() async throws {
        try await broker.waitUntilReady()
        try await bridge.run()
    }
}
