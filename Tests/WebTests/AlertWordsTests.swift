import Foundation
import Testing
import Tracking

/// Whether the page has words for every kind of alert.
struct AlertWordsTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    @Test func `The page puts every kind of alert into words`() throws {
        let reference = try AlertWordsTests.file("docs/reference.md")
        let paragraph = try #require(
            reference.firstMatch(of: #/\*\*Alert\*\*[\s\S]*?`kind`:([\s\S]*?)`fixAge`:/#))
        let documented = Set(paragraph.1.matches(of: #/`([a-z-]+)`/#).map { String($0.1) })
        #expect(documented.isSuperset(of: Alert.Kind.allCases.map(\.rawValue)))
        let module = try AlertWordsTests.file("pages/js/alerts/words.js")
        let known = Set(module.matches(of: #/(?m)^    "([a-z-]+)":/#).map { String($0.1) })
        #expect(known == documented)
        let tests = try AlertWordsTests.file("Tests/PageTests/Units/alert-words.test.js")
        #expect(documented.filter { !tests.contains("\"\($0)\"") } == [])
    }
}
