#if DEBUG
import Contract
import Foundation
import Hummingbird
import Limits
import Logging
import NIOEmbedded

@testable import Web

/// A page with all that it can have: a map, terms, a demo; except a broker. Or one without a configured
/// address.
struct HTTPSite: Sendable {
    private let responder: RouterResponder<WebContext>
    private let channel = NIOAsyncTestingChannel()
    private let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

    static let named = Result { try HTTPSite(named: true) }
    static let unnamed = Result { try HTTPSite(named: false) }

    private init(named isNamed: Bool) throws {
        var settings = try HTTPSite.settings()
        if !isNamed {
            settings.server.origin = nil
            settings.server.isBehindProxy = false
        }
        let web = try Web(settings, version: "1", logger: logger)
        let connections = VisitorConnections(settings, logger: logger)
        // As after its end: each request is immediately answered that there is no broker.
        try waiting {
            let run = Task { try await connections.run() }
            run.cancel()
            try await run.value
        }
        responder = web.router(connections, ConnectionCounts(maximum: nil, all: 100))
            .buildResponder()
    }

    func respond(to request: Request) async throws -> Response {
        let source = ApplicationRequestContextSource(channel: channel, logger: logger)
        return try await responder.respond(to: request, context: WebContext(source: source))
    }

    // MARK: Settings

    private static let map = Result { try Maps.sound() }

    private static func settings() throws -> WebSettings {
        var settings = WebSettings()
        settings.pages = try pages()
        settings.map = try map.get()
        settings.server.origin = "https://kith.example.org"
        settings.server.isBehindProxy = true
        settings.demo = DeviceToken("demo.page." + String(repeating: "A", count: 43))
        settings.terms = WebSettings.Terms(
            version: "1", terms: try Scratch.write(Array("<p>Terms".utf8), as: "terms.html"),
            privacy: try Scratch.write(Array("Privacy".utf8), as: "privacy.txt"))
        // An input is to be answered by its content, not by how many there were before.
        let enough = Allowance(burst: 1e15, perSecond: 1e15)
        settings.limits.requestsOfAddress = enough
        settings.limits.requestsOfVisitor = enough
        settings.limits.attemptsOfAddress = enough
        settings.limits.messagesOfGuestConnection = enough
        settings.limits.linksOfAddress = enough
        settings.limits.readingOfAddress = enough
        settings.limits.firstAttempts = enough
        settings.limits.newcomers = enough
        settings.limits.attempts = enough
        settings.limits.links = enough
        settings.limits.reading = enough
        settings.limits.callsOfAddress = enough
        settings.limits.callsOfVisitor = enough
        return settings
    }

    private static func pages() throws -> String {
        let directory = try Scratch.path("pages")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let script = Array(String(repeating: "let one = 1;\n", count: 100).utf8)
        _ = try Scratch.write(Array("<!doctype html>".utf8), as: "pages/index.html")
        _ = try Scratch.write(script, as: "pages/main-0A1B2C3D.js")
        _ = try Scratch.write([1, 2, 3], as: "pages/main-0A1B2C3D.js.br")
        _ = try Scratch.write([1, 2, 3, 4], as: "pages/main-0A1B2C3D.js.gz")
        return directory
    }
}
#endif
