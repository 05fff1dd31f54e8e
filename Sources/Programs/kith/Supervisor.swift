import Bridge
import Contract
import Foundation
import Glibc
import LocalBroker
import Logging
import ServiceLifecycle
import Store
import Supervision
import Synchronization
import Web

/// `kith up` itself: keeps the broker, the bridge and the page running, each as a separate process.
/// It reads no external input, except the messages that the demo's phones receive, and changes of
/// rights from a database on a server.
struct Supervisor {
    private let up: Up
    private let options: DataOptions

    init(_ up: Up, _ options: DataOptions) {
        self.up = up
        self.options = options
    }

    func run() async throws {
        // The end of its output's reader must not end it.
        signal(SIGPIPE, SIG_IGN)
        let (settings, web) = try await up.settings(options)
        let port = up.brokerPort(settings)
        let brokerSettings = try brokerSettings(port, settings)
        let phones = try up.phones(options)
        let logger = try await options.logger("kith")
        await UpPart.endOrphans(of: options.data, logger)
        // The operator's own configuration has its own ports.
        try await checkPorts(
            port, web.server, up.brokerConfig == nil ? phones?.ports ?? [] : [], logger)
        try options.makeDirectory(logger)
        try phones?.makeCertificate(logger)
        askForMap(web, logger)
        let broker = LocalBroker(brokerSettings, logger: logger)
        let demo =
            up.demo
            ? try await Demo(databasePath: options.databasePath, settings, port: port) : nil
        // A restarted part connects to the same broker, even if the configuration has changed.
        let brokerPort = ["--port", "\(port)"]
        let bridge = part(.bridge, web, logger, hear: { _ in }) { brokerPort }
        let page = pagePart(web, phones, demo, logger, brokerPort)
        let notifier = Signs().notifier(broker, bridge, page)

        var services: [any Service] = [
            BrokerService(broker: broker), PartService(process: bridge, broker: broker),
        ]
        if settings.databaseServer != nil {
            let database = DatabaseAddress(options.databasePath, server: settings.databaseServer)
            services.append(RightsService(address: database, logger: logger))
        }
        if let demo { services.append(demo) }
        services.append(PartService(process: page))
        let certificates = phones.map { phones in
            CertificateWatch(phones, broker, logger) { page.send(SIGHUP) }
        }
        if let certificates { services.append(certificates) }
        if !HangUp.isEnd {
            // Mosquitto's own reload of certificates leaves out the WebSocket listeners: it is
            // restarted with its saved state.
            services.append(
                Reload(notifier: notifier) {
                    bridge.send(SIGHUP)
                    let outcome = certificates?.look()
                    // It is unknown here which files the operator's configuration names.
                    if up.brokerConfig == nil ? outcome == .new : outcome != .unusable {
                        broker.renew()
                    }
                })
        }
        // It is stopped first, so it reports that first.
        services.append(notifier)
        try await HangUp.group(services, logger).run()
        Bridge.leaveOneFile(options.databasePath, settings)
    }
}

extension Supervisor {
    private func part(
        _ part: UpPart, _ settings: WebSettings, _ logger: Logger, demo: Demo? = nil,
        hear: @escaping @Sendable (String) -> Void = { _ in },
        _ more: @escaping @Sendable () -> [String] = { [] }
    ) -> SupervisedProcess {
        let (data, topics, token) = (options.data, settings.topics, demo?.browser)
        return SupervisedProcess(
            part.name, isNeeded: part.isNeeded, logger: logger, hear: hear
        ) {
            part.command(data: data, topics: topics, demo: token, more())
        }
    }

    /// The page, whose address is printed once it is known.
    private func pagePart(
        _ settings: WebSettings, _ phones: PhoneAccess?, _ demo: Demo?, _ logger: Logger,
        _ arguments: [String]
    ) -> SupervisedProcess {
        let (port, isDemo) = (PagePort(), demo != nil)
        return part(.page, settings, logger, demo: demo) { line in
            guard let number = SystemdNotifier.port(in: line), port.take(number) else { return }
            let address = settings.address(number)
            if isDemo { Demo.tell(page: address) }
            guard let phones else { return PhoneAccess.tellHow() }
            do {
                try phones.tellOnce(page: address)
            } catch {
                logger.error("\(error)")
            }
        } _: {
            arguments + port.arguments
        }
    }

    /// Asks for a map if none is configured: the page reads the answer.
    private func askForMap(_ page: WebSettings, _ logger: Logger) {
        guard !up.demo, up.map == nil, page.map == nil, page.tiles == nil,
            MapChoice.kept(in: options.data) == nil
        else { return }
        do {
            _ = try MapChoice.ask(keptIn: options.data)
        } catch {
            // The next start asks again.
            logger.warning("\(error)")
        }
    }

    /// Checks the ports before anything is started, and before the page's address is printed. The
    /// page can wait for its port.
    ///
    /// - Throws: ``Complaint`` with all unavailable ports, if nothing can start.
    private func checkPorts(
        _ port: UInt16, _ page: WebSettings.Server, _ others: [ListeningPort], _ logger: Logger
    ) async throws {
        let ports =
            [
                ListeningPort(
                    address: "127.0.0.1", number: Int(port), purpose: "the broker",
                    setting: "--port, or broker.port in the configuration"),
                ListeningPort(
                    address: page.address, number: page.port, purpose: "the page",
                    setting: "--web-port, or web.port in the configuration", isNeeded: false),
            ] + others
        // An ending part no longer has the arguments by which it could be found, but still its
        // port.
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let (words, canStart) = ListeningPort.complaints(ports)
            if words.isEmpty { return }
            guard ContinuousClock.now >= deadline else {
                await pause(.milliseconds(50))
                continue
            }
            guard canStart else { throw Complaint(words.joined(separator: "\n")) }
            return logger.error(
                "\(words.joined(separator: " ")) Everything else starts, and the page is tried again."
            )
        }
    }

    private func brokerSettings(_ port: UInt16, _ bridge: BridgeSettings) throws
        -> BrokerSettings
    {
        var settings = BrokerSettings(
            template: try up.template, dataDirectory: "\(options.data)/broker", port: port)
        let data = URL(fileURLWithPath: options.data).path
        settings.variables = [
            "GATE": try GateLibrary.find(), "DATABASE": "\(data)/kith.db",
            "ROOT": bridge.topics.root, "CERTIFICATES": "\(data)/certificates",
        ]
        settings.makeRoom = { [path = options.databasePath] in
            Bridge.makeRoom(besides: path, bridge)
        }
        return settings
    }
}

/// The port of the page, once it has reported it.
private final class PagePort: Sendable {
    private let number = Mutex<Int?>(nil)

    /// - Returns: whether it is the first one.
    func take(_ port: Int) -> Bool {
        number.withLock { number in
            defer { number = port }
            return number == nil
        }
    }

    /// For a restarted page: the same port, whichever was free the first time.
    var arguments: [String] { number.withLock { $0.map { ["--web-port", "\($0)"] } ?? [] } }
}

/// The signs of life that the supervisor passes on to systemd. The supervisor itself restarts a
/// part that ends or hangs, so that part's silence does not count as the supervisor's.
private struct Signs {
    let broker = Pulse("the broker")
    let bridge = Pulse("the bridge")
    let page = Pulse("the page")

    func notifier(
        _ localBroker: LocalBroker, _ bridgeProcess: SupervisedProcess,
        _ pageProcess: SupervisedProcess
    ) -> SystemdNotifier {
        let (broker, parts) = (broker, [(bridge, bridgeProcess), (page, pageProcess)])
        return SystemdNotifier([broker] + parts.map(\.0)) {
            broker.beat(isServing: localBroker.processIdentifier != nil)
            // A part that is not needed must not keep systemd waiting, which would end everything.
            for (pulse, process) in parts where process.wasEverReady || !process.isNeeded {
                pulse.beat(isServing: process.isServing)
            }
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
