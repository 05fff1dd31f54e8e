internal import Yams

/// The configuration file as it was written: its keys and their lines.
public struct ConfigurationFile: Sendable {
    /// A key with a value.
    struct Entry: Sendable {
        let key: String
        let line: Int
        /// Nil if it is not a single one.
        let value: String?

        var isSingle: Bool { value != nil }
        var isEmpty: Bool { value.map(ConfigurationFile.isNull) ?? false }
    }

    public let path: String
    let entries: [Entry]

    public var isEmpty: Bool { entries.isEmpty }

    /// - Throws: ``SettingsError`` if the text is not YAML, or has no keys at its top.
    public init(path: String, text: String) throws(SettingsError) {
        self.path = path
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError(reasons: [
                "\(path) is not valid YAML\(ConfigurationFile.place(error))."
            ])
        }
        switch root {
        case .mapping(let mapping): entries = ConfigurationFile.entries(of: mapping, below: "")
        // The file is empty apart from comments.
        case nil: entries = []
        case .scalar(let scalar) where ConfigurationFile.isNull(scalar.string): entries = []
        case .scalar, .sequence, .alias:
            throw SettingsError(reasons: ["\(path) is not a mapping of keys to values."])
        }
    }

    /// Returns the line of a key; nil if the file does not have it.
    public func line(of key: String) -> Int? { entries.first { $0.key == key }?.line }

    /// Returns the keys that differ between the two files, in alphabetical order.
    public static func changes(from old: ConfigurationFile?, to new: ConfigurationFile?)
        -> [String]
    {
        func values(_ file: ConfigurationFile?) -> [String: String?] {
            Dictionary((file?.entries ?? []).map { ($0.key, $0.value) }) { $1 }
        }
        let (old, new) = (values(old), values(new))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    /// Returns the faults of the keys themselves.
    public func findings(known: Set<String>) -> [Finding] {
        entries.compactMap { entry in
            guard let reason = reason(against: entry, known) else { return nil }
            return Finding(place: place(entry.line), line: entry.line, reason: reason)
        }
    }

    func place(_ line: Int) -> String { "line \(line) of \(path)" }

    private func reason(against entry: Entry, _ known: Set<String>) -> String? {
        let key = entry.key
        if known.contains(key) {
            return entry.isSingle ? nil : "\(key) must be a single value."
        }
        if let example = known.filter({ $0.hasPrefix(key + ".") }).min() {
            return entry.isEmpty
                ? "\(key) is empty: write its keys below it, or remove it."
                : "\(key) has keys below it, such as \(example), and no value of its own."
        }
        guard let meant = KeySuggestion.of(key, in: known) else { return "\(key) is unknown." }
        return "\(key) is unknown. Did you mean \(meant)?"
    }

    private static func entries(of mapping: Node.Mapping, below prefix: String) -> [Entry] {
        mapping.flatMap { name, value -> [Entry] in
            let key = prefix + (name.string ?? "?")
            let line = name.mark?.line ?? 0
            if case .mapping(let inner) = value, !inner.isEmpty {
                return entries(of: inner, below: key + ".")
            }
            return [Entry(key: key, line: line, value: value.scalar?.string)]
        }
    }

    private static func isNull(_ text: String) -> Bool { ["", "~", "null"].contains(text) }

    /// The parser's own words do not repeat values.
    private static func place(_ error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ": line \(mark.line): \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            ": line \(context.mark.line): these keys are there twice: \(duplicates.joined(separator: ", "))"
        default: ""
        }
    }
}

/// One fault of a configuration, and its place.
public struct Finding: Sendable, CustomStringConvertible {
    /// The file's line or the environment's variable; nil if it is neither.
    let place: String?
    let line: Int?
    let reason: String

    public var description: String { place.map { "\($0): \(reason)" } ?? reason }

    /// Finds the place of the key with which a reason begins.
    ///
    /// - Parameter environment: takes precedence over the file.
    public init(
        _ reason: String, in file: ConfigurationFile?, environment: [String: String] = [:]
    ) {
        self.reason = reason
        let key = String(reason.prefix { $0 != " " && $0 != ":" })
        let variable = Finding.variable(key)
        if environment[variable] != nil {
            (place, line) = (variable, nil)
        } else if let file, let found = file.line(of: key) {
            (place, line) = (file.place(found), found)
        } else {
            (place, line) = (nil, nil)
        }
    }

    init(place: String, line: Int, reason: String) {
        (self.place, self.line, self.reason) = (place, line, reason)
    }

    /// Returns the environment variable for a key: `KITH_A_B_C` for `a.bC`.
    static func variable(_ key: String) -> String {
        key.reduce(into: "KITH_") { name, letter in
            if letter == "." {
                name += "_"
            } else {
                if letter.isUppercase { name += "_" }
                name += letter.uppercased()
            }
        }
    }

    /// Returns all findings, each once, in the order of their lines.
    public static func list(_ findings: [Finding]) -> String {
        var seen: Set<String> = []
        let lines = findings.filter { seen.insert($0.description).inserted }
            .enumerated().sorted { one, other in
                (one.element.line ?? .max, one.offset) < (other.element.line ?? .max, other.offset)
            }.map(\.element.description)
        return lines.count == 1 ? " " + lines[0] : lines.map { "\n  " + $0 }.joined()
    }
}
