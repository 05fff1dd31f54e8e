import Foundation
import Testing

/// What a linter would report about the page's modules.
struct PageSourceTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private static func modules(in folder: String) throws -> [PageModule] {
        let directory = "\(root)/\(folder)"
        return try #require(FileManager.default.enumerator(atPath: directory))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".js") }.sorted()
            .map {
                PageModule($0, try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8))
            }
    }

    @Test func `The page's modules keep the rules`() throws {
        let modules = try PageSourceTests.modules(in: "pages/js")
        #expect(modules.count > 40)
        let tests = try PageSourceTests.modules(in: "Tests/PageTests/Units")
        let complaints = PageModule.complaints(about: modules, testedBy: tests)
        #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    }

    /// The start page shows its forms without the map, its library and what only logged-in users
    /// see.
    @Test func `The start page loads neither the map's library nor the logged-in views`() throws {
        let modules = Dictionary(
            uniqueKeysWithValues: try PageSourceTests.modules(in: "pages/js").map { ($0.path, $0) })
        var found: Set<String> = []
        var waiting = ["main.js"]
        while let path = waiting.popLast() {
            guard found.insert(path).inserted, let module = modules[path] else { continue }
            waiting += module.imports.map(\.path)
            #expect(!module.code.contains("from \"/leaflet"), "\(path) needs the map's library")
        }
        #expect(found.contains("views/welcome.js"))
        #expect(!found.contains("shell.js"))
    }

    @Test func `Each broken rule is reported`() {
        let modules = [
            PageModule(
                "a.js",
                """
                /// A.
                import { b, c as d, e } from "./x/b.js";
                import * as x from "./x/b.js";
                b(d, x.g);

                """),
            PageModule(
                "x/b.js",
                """
                export const b = 1;
                export function c() {}
                export let f;
                export class g {}
                export const h = "==";

                """),
            PageModule(
                "y.js",
                """
                /// Y.
                import { z } from "./z.js";

                if (z == 1) console.log(z);
                var q;

                """ + String(repeating: "\n", count: 300)),
        ]
        let tests = [PageModule("t.js", "import { h } from \"/js/x/b.js\";")]
        #expect(
            PageModule.complaints(about: modules, testedBy: tests) == [
                "a.js imports e for nothing", "a.js imports e, which x/b.js has not",
                "x/b.js does not say what it is for", "x/b.js exports f for nobody",
                "y.js compares loosely", "y.js has 305 lines", "y.js has a var",
                "y.js imports z.js, which is not there", "y.js:4 speaks to a developer",
            ])
    }
}
