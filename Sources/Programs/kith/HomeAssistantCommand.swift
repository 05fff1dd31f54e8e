import ArgumentParser
import Bridge
import Contract
import Foundation
import HomeAssistant
import Logging
import MQTT
import Settings
import Synchronization

struct HomeAssistantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home-assistant",
        abstract: "Show a group in Home Assistant.",
        discussion: """
            Connects to Kith's broker as an observer of the group (observer.create), and to Home \
            Assistant's, where it keeps MQTT discovery and states up to date. It needs no other \
            rights, and may run on any machine: docs/home-assistant.md.
            """)

    @Option(help: "The group's id.") var group: String
    @Option(help: "A file with the observer's token.") var token: String
    @Option(help: "Kith's broker.") var kith = "127.0.0.1:1883"
    @Option(help: "A PEM file of the authorities for Kith's broker; with it, TLS is used.")
    var kithCa: String?
    @Option(help: "The root of Kith's topics.") var root = "kith"
    @Option(help: "Home Assistant's broker.") var to: String
    @Option(help: "The user name there.") var toUser: String?
    @Option(help: "A file with the password there.") var toPassword: String?
    @Option(help: "A PEM file of the authorities for that broker; with it, TLS is used.")
    var toCa: String?
    @Option(help: "Home Assistant's discovery prefix.") var discoveryPrefix = "homeassistant"

    func run() async throws {
        guard let key = GroupKey(group) else {
            throw Complaint("\(group) is not a group id.")
        }
        guard
            let observer = PrincipalToken(try HomeAssistantCommand.line(of: token, "--token")),
            case .bearer(let grant) = observer.principal, grant.kind == .observer
        else {
            throw Complaint("There is no observer's token in the file that --token names.")
        }
        guard let topics = TopicSpace(checking: root) else {
            throw Complaint("\(root) cannot be the root of topics.")
        }
        var kith = try options(self.kith, kithCa, name: "kith-home-\(UUID())")
        (kith.username, kith.password) = (observer.username, observer.text)
        var home = try options(to, toCa, name: "kith-home-\(key)")
        home.username = toUser
        home.password = try toPassword.map {
            try HomeAssistantCommand.line(of: $0, "--to-password")
        }
        let exporter = Exporter(
            ExporterTopics(discovery: discoveryPrefix, group: key.text),
            source: topics.string(.group(key)), version: kithVersion)
        let logger = Logger(label: "home-assistant") {
            LogSettings.Format.ofEnvironment.handler($0)
        }
        let outcome = try await HomeAssistantCommand.run(kith, home, exporter, logger)
        if outcome == .refused {
            throw Complaint(
                "Kith no longer admits the observer. Home Assistant was asked to forget "
                    + "the group.")
        }
    }

    private static func run(
        _ kith: ConnectionOptions, _ home: ConnectionOptions, _ exporter: Exporter, _ logger: Logger
    ) async throws -> ExporterLink.Outcome {
        let waker = Waker()
        let isEnding = Atomic(false)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                isEnding.store(true, ordering: .relaxed)
                waker.wake()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await onThread(named: "home-assistant") {
            let link = ExporterLink(from: kith, to: home, exporter, logger, waker: waker)
            return link.run { !isEnding.load(ordering: .relaxed) }
        }
    }

    private func options(_ address: String, _ authorities: String?, name: String) throws
        -> ConnectionOptions
    {
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let port = Int32(parts[1]), (1...65_535).contains(port),
            !parts[0].isEmpty
        else { throw Complaint("\(address) is not an address such as homeassistant.local:1883.") }
        var options = ConnectionOptions(host: String(parts[0]), port: port, clientID: name)
        options.tls = authorities.map { ConnectionOptions.TLS(authorities: $0) }
        return options
    }

    /// Returns the content of the file, without the end of the line.
    ///
    /// - Parameter option: the name in the complaint: the user may have given the secret itself in
    ///   place of the path.
    private static func line(of path: String, _ option: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Complaint("The file that \(option) names cannot be read.")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
