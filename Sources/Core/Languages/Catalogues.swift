internal import Foundation
internal import JSON
internal import Tracking

/// The texts of the page and the server in each language, with the English text as the key. A text
/// missing from a catalogue is shown in English.
public struct Catalogues: Sendable {
    private enum Entry: Sendable {
        case text(String)
        /// By plural category.
        case forms([String: String])
    }

    private var entries: [Language: [String: Entry]] = [:]

    /// Only English.
    public static let english = Catalogues()

    private init() {}

    /// - Parameter files: the catalogue of each language, as JSON: `{key: text}`, and where a
    ///   number decides the words `{key: {one, other, …}}`. An invalid catalogue counts as empty.
    public init(_ files: [Language: [UInt8]]) {
        for (language, bytes) in files {
            guard case .object(let members)? = JSONValue(parsing: bytes) else { continue }
            for member in members {
                switch member.value {
                case .string(let text): entries[language, default: [:]][member.key] = .text(text)
                case .object(let forms):
                    let texts = forms.compactMap { form in form.value.text.map { (form.key, $0) } }
                    entries[language, default: [:]][member.key] = .forms(
                        Dictionary(texts, uniquingKeysWith: { $1 }))
                default: continue
                }
            }
        }
    }

    /// Reads `de.json` and so on from a directory; a file that is missing is an empty catalogue.
    public init(directory: String) {
        var files: [Language: [UInt8]] = [:]
        for language in Language.allCases where language != .english {
            let file = "\(directory)/\(language.rawValue).json"
            files[language] = FileManager.default.contents(atPath: file).map { Array($0) }
        }
        self.init(files)
    }

    // MARK: Texts

    public func say(_ phrase: Phrase, to reader: Reader = Reader()) -> String {
        Catalogues.fill(words(phrase, reader.language)) { name in
            phrase.values[name].map { self.text($0, reader) }
        }
    }

    /// Returns sentences, one after another.
    public func say(_ phrases: [Phrase], to reader: Reader = Reader()) -> String {
        phrases.map { say($0, to: reader) }.joined(separator: " ")
    }

    private func words(_ phrase: Phrase, _ language: Language) -> String {
        let (key, one) = (phrase.text.rawValue, phrase.text.one)
        guard let one, case .number(let count)? = phrase.values["count"] else {
            if case .text(let text)? = entries[language]?[key] { return text }
            return key
        }
        if case .forms(let forms)? = entries[language]?[key],
            let text = forms[language.plural(of: count)] ?? forms["other"]
        {
            return text
        }
        return count == 1 ? one : key
    }

    private func text(_ value: Phrase.Value, _ reader: Reader) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .clock(let time, let near): reader.clock(time, near: near, withDate: true)
        case .seconds(let time): reader.clock(time, withDate: false, seconds: true)
        case .phrase(let phrase): say(phrase, to: reader)
        }
    }

    /// Inserts the values in one pass: text in braces inside a value stays.
    static func fill(_ text: String, _ value: (String) -> String?) -> String {
        var (filled, rest) = ("", Substring(text))
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"),
                let said = value(String(rest[rest.index(after: open)..<close]))
            else {
                filled += "{"
                rest = rest.dropFirst()
                continue
            }
            filled += said
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
