import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import Web

/// The route table states what is served, and what else an address accepts.
struct WebRouteTests {
    @Test func `The route table has the server's routes`() throws {
        var settings = WebSettings()
        settings.pages =
            #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast(3).joined(separator: "/") + "/pages"
        settings.libraries = []
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let web = try Web(settings, version: "", logger: logger)
        let router = web.router(
            VisitorConnections(settings, logger: logger), ConnectionCounts(maximum: nil, all: 100))
        let served = router.routes.map { "\($0.method.rawValue) \($0.path)" }
        let told = WebRoute.all.filter { !$0.path.hasPrefix("/map/") }.flatMap { route in
            route.verbs.map { "\($0) \(route.path)" }
        }
        #expect(Set(served) == Set(told))
    }

    @Test func `A literal word in a path takes precedence over a placeholder`() {
        func verbs(_ path: String) -> [String] {
            WebRoute.matching(path).flatMap(\.verbs).sorted()
        }
        #expect(verbs("/api/events") == ["GET", "HEAD"])
        #expect(verbs("/api/group.list") == ["POST"])
        #expect(verbs("/api/samples/ann") == ["GET"])
        #expect(verbs("/session") == ["DELETE", "GET", "HEAD", "POST"])
        #expect(verbs("/index.html") == [])
        #expect(verbs("/") == [])
    }
}
