import Contract
import Foundation
import Languages
import Testing

/// The page's texts exist in every language, within their length limits.
struct PageTextsTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// It has the names of the languages, each as that language has it.
    private static let names = "language.js"
    /// It has a `t` of its own.
    private static let speakers: Set<String> = ["sw-push.js"]

    /// The operator's page is in English, as the command line and the documents are.
    private static let english = "operator"

    /// Read once for all tests.
    private static let all = Result { try read() }

    private static func modules() throws -> [(path: String, texts: PageTexts)] { try all.get() }

    private static func read() throws -> [(path: String, texts: PageTexts)] {
        let directory = "\(root)/pages/js"
        let paths = try #require(FileManager.default.enumerator(atPath: directory))
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(".js") && !$0.hasPrefix(english) }.sorted()
        return try
            (paths.map { ($0, "\(directory)/\($0)") }
            + [("sw-push.js", "\(root)/pages/sw-push.js")])
            .map { path, file in
                (path, PageTexts(path, try String(contentsOfFile: file, encoding: .utf8)))
            }
    }

    /// Texts of the service that the page shows: problem titles and field errors.
    private static func served() throws -> [PageTexts.Text] {
        let file = "\(root)/pages/languages/served.txt"
        let reasons = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let titles = Problem.Kind.allCases.map { Problem($0, "").title }
        return (titles + reasons.map(String.init))
            .map { PageTexts.Text(key: $0, isCounted: false) }
    }

    static func texts() throws -> Set<PageTexts.Text> {
        let own = ServerText.allCases.map(\.rawValue)
            .map { PageTexts.Text(key: $0, isCounted: $0.contains("{count}")) }
        return Set(try modules().flatMap(\.texts.texts) + served() + own)
    }

    @Test func `Every text that a person reads goes through the catalogue`() throws {
        let complaints = try PageTextsTests.modules()
            .filter { $0.path != PageTextsTests.names }
            .flatMap(\.texts.untranslated)
        #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    }

    @Test func `A text is a literal, and has the values that it names`() throws {
        let complaints = try PageTextsTests.modules()
            .filter { !PageTextsTests.speakers.contains($0.path) }
            .flatMap(\.texts.complaints)
        #expect(complaints == [], "\(complaints.joined(separator: "\n"))")
    }

    @Test(arguments: Catalogue.Language.allCases)
    func `The catalogue has every text and no other`(_ language: Catalogue.Language) throws {
        let catalogue = try Catalogue(language, in: "\(PageTextsTests.root)/pages/languages")
        let texts = try PageTextsTests.texts()
        #expect(texts.count > 500)
        let complaints = catalogue.complaints(about: texts)
        if let file = ProcessInfo.processInfo.environment["KITH_MISSING_TEXTS"] {
            try catalogue.missing(of: texts)
                .write(
                    toFile: "\(file).\(language.rawValue).json", atomically: true, encoding: .utf8)
        }
        #expect(complaints.isEmpty, "\(complaints.prefix(50).joined(separator: "\n"))")
    }

    @Test func `Each broken rule is reported`() {
        let module = PageTexts(
            "a.js",
            """
            import { t, tn, tx } from "./language.js"; // "Not a text"
            const pattern = /"Not one, too"/;
            h("button", { class: "button wide", title: "Open it" }, t("Save " + "it"));
            say(`${name} has come`);
            h("p", null, tn(count, "1 friend", "{count} friends of {name}", { name }), "Copy");
            t("{name} and {other}", { name: a(b, c), ...rest }); t("{name} is here", { who });
            tx("Press {button}.", { button: `${t("Nested")} "quoted"` }); t(unknown);
            """)
        #expect(
            module.texts.map(\.key) == [
                "Save it", "{count} friends of {name}", "{name} and {other}", "{name} is here",
                "Press {button}.", "Nested",
            ])
        #expect(module.texts.map(\.isCounted) == [false, true, false, false, false, false])
        #expect(
            module.complaints == [
                "a.js gives no name to “{name} is here”",
                "a.js has words that are no text of its own in t()",
            ])
        #expect(
            module.untranslated == [
                "a.js:3 says “Open it” without t()", "a.js:4 says “{} has come” without t()",
                "a.js:5 says “Copy” without t()",
            ])
        let catalogue = Catalogue(
            .german,
            [
                "Save it": .one("Diesen Vorgang jetzt speichern"),
                "{count} friends of {name}": .counted(["one": "1 von {name}"]),
                "{name} is here": .one("{wer} ist da"), "Gone": .one("Weg"),
                "Nested": .counted(["one": "Drin", "other": "Drinnen"]),
            ])
        #expect(
            catalogue.complaints(about: Set(module.texts)) == [
                "de has no form “other” of “{count} friends of {name}”",
                "de has no “Press {button}.”", "de has no “{name} and {other}”",
                "de has other values in “{name} is here”",
                "de has “Gone”, which nobody says",
                "de has “Nested” by number, or not by number where it should",
                "de is too long in “Save it”: “Diesen Vorgang jetzt speichern”",
            ])
    }
}
