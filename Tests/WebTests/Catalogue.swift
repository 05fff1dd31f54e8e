import Foundation

/// The page's texts in one language: a file of `pages/languages`.
struct Catalogue {
    enum Language: String, CaseIterable {
        case german = "de"
        case italian = "it"
        case french = "fr"
        case spanish = "es"
        case arabic = "ar"

        /// The plural categories that differ in everyday numbers
        /// (https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html).
        var categories: [String] {
            self == .arabic ? ["zero", "one", "two", "few", "many", "other"] : ["one", "other"]
        }
    }

    enum Entry: Equatable {
        case one(String)
        /// By plural category.
        case counted([String: String])
    }

    let language: Language
    private let entries: [String: Entry]

    /// A label with this many letters fits everywhere, whatever the English has.
    private static let short = 24
    /// Beyond this many times the English length a text fits nowhere.
    private static let stretch = 2.2

    init(_ language: Language, _ entries: [String: Entry]) {
        self.language = language
        self.entries = entries
    }

    init(_ language: Language, in folder: String) throws {
        let file = URL(fileURLWithPath: "\(folder)/\(language.rawValue).json")
        let parts = try JSONDecoder().decode([String: Entry].self, from: Data(contentsOf: file))
        self.init(language, parts)
    }

    /// Its faults, a line each, in order.
    func complaints(about texts: Set<PageTexts.Text>) -> [String] {
        let keys = Set(texts.map(\.key))
        let superfluous = entries.keys.filter { !keys.contains($0) }
            .map { "\(language.rawValue) has “\($0)”, which nobody says" }
        return (texts.flatMap(complaints) + superfluous).sorted()
    }

    private func complaints(about text: PageTexts.Text) -> [String] {
        let name = language.rawValue
        let values = PageTexts.placeholders(of: text.key)
        switch entries[text.key] {
        case nil: return ["\(name) has no “\(text.key)”"]
        case .one(let said) where !text.isCounted:
            let isOther = PageTexts.placeholders(of: said) != values
            return isOther
                ? ["\(name) has other values in “\(text.key)”"] : overlong(said, text.key)
        case .counted(let forms) where text.isCounted:
            return language.categories.filter { forms[$0] == nil }
                .map { "\(name) has no form “\($0)” of “\(text.key)”" }
                + forms.sorted { $0.key < $1.key }.flatMap { category, said in
                    // "One friend" needs no number.
                    let isOther =
                        PageTexts.placeholders(of: said).union(["count"])
                        != values.union(["count"])
                    return isOther
                        ? ["\(name) has other values in “\(text.key)” (\(category))"]
                        : overlong(said, text.key)
                }
        case .one, .counted:
            return ["\(name) has “\(text.key)” by number, or not by number where it should"]
        }
    }

    private func overlong(_ said: String, _ key: String) -> [String] {
        let isLong =
            said.count > Catalogue.short
            && Double(said.count) > Catalogue.stretch * Double(key.count)
        return isLong ? ["\(language.rawValue) is too long in “\(key)”: “\(said)”"] : []
    }

    /// A catalogue of the missing texts, to be filled in.
    func missing(of texts: Set<PageTexts.Text>) throws -> String {
        let lacking = texts.filter { entries[$0.key] == nil }
        let parts = Dictionary(
            uniqueKeysWithValues: lacking.map { text in
                (
                    text.key,
                    text.isCounted
                        ? Entry.counted(
                            Dictionary(
                                uniqueKeysWithValues: language.categories.map { ($0, text.key) }))
                        : .one(text.key)
                )
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(parts), as: UTF8.self)
    }
}

extension Catalogue.Entry: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = .one(try container.decode(String.self))
        } catch {
            self = .counted(try container.decode([String: String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .one(let said): try container.encode(said)
        case .counted(let forms): try container.encode(forms)
        }
    }
}
