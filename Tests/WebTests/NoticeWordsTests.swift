import Contract
import Foundation
import Testing
import Tracking

/// Whether the page has words for every kind of notice, and is as urgent as the service.
struct NoticeWordsTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    @Test func `The page puts every kind of notice into words`() throws {
        let reference = try NoticeWordsTests.file("docs/reference.md")
        let kinds = Set(NoticeKind.all.map(\.name))
        #expect(kinds.count > 30)
        #expect(kinds.filter { !reference.contains("`\($0)`") } == [])
        let module = try NoticeWordsTests.file("pages/js/people/notices.js")
        let known = Set(module.matches(of: #/(?m)^    case "([a-z-]+)":/#).map { String($0.1) })
        // Only services receive these.
        let ofServices: Set<String> = [
            "consent-given", "consent-refused", "consent-revoked", "data-deleted", "vitals-ended",
        ]
        #expect(kinds.subtracting(known) == ofServices)
    }

    /// A service worker reads no modules: it has a list of its own.
    @Test func `Notifications that stay until they are pressed include every call`() throws {
        let worker = try NoticeWordsTests.file("pages/sw-push.js")
        let list = try #require(worker.firstMatch(of: #/const URGENT = \[(.*?)\];/#)).1
        let urgent = Set(list.matches(of: #/"([a-z-]+)"/#).map { String($0.1) })
        let calls = Set(Alert.Kind.allCases.filter(\.isCall).map(\.rawValue))
        #expect(urgent == calls.union(["are-you-all-right", "help-called"]))
    }
}
