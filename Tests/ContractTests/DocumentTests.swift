import Foundation
import Testing

/// Commands in the documentation.
struct DocumentTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    /// README, `docs`, the pages, and the sources, where the help texts are.
    private func documents() throws -> [String] {
        let files = FileManager.default
        var paths = ["README.md", "CONTRIBUTING.md"]
        for directory in ["docs", "pages", "Sources", "tools", "broker-config"] {
            let names = try files.subpathsOfDirectory(atPath: "\(DocumentTests.root)/\(directory)")
            paths += names.map { "\(directory)/\($0)" }
        }
        let texts = ["md", "js", "html", "swift", "conf", ""]
        return paths.filter { texts.contains(($0 as NSString).pathExtension) }
            // A directory has no contents.
            .compactMap { files.contents(atPath: "\(DocumentTests.root)/\($0)") }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls of a program, with their continuation lines.
    private func calls(of program: String, in text: String) -> [String] {
        text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
            .filter { $0.contains(program + " -") }
    }

    @Test func `Documented MQTT commands publish with QoS 1`() throws {
        var found = 0
        for text in try documents() {
            for call in ["mosquitto_rr", "mosquitto_pub"].flatMap({ calls(of: $0, in: text) }) {
                found += 1
                #expect(call.contains("-q 1") || !call.contains("-t "), "\(call)")
            }
        }
        // README, first-steps.md, owntracks.md.
        #expect(found >= 6)
    }
}
