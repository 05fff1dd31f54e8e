/// A language of the page and the server.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case italian = "it"
    case french = "fr"
    case spanish = "es"
    case arabic = "ar"

    /// Returns the category of a whole number; a catalogue has a form for each (Unicode CLDR,
    /// plural rules for cardinals).
    func plural(of number: Int) -> String {
        switch self {
        case .english, .german: number == 1 ? "one" : "other"
        case .italian, .spanish:
            number == 1 ? "one" : number != 0 && number % 1_000_000 == 0 ? "many" : "other"
        case .french:
            number == 0 || number == 1
                ? "one" : number % 1_000_000 == 0 ? "many" : "other"
        case .arabic: Language.arabicPlural(of: number)
        }
    }

    private static func arabicPlural(of number: Int) -> String {
        switch (number, number % 100) {
        case (0, _): "zero"
        case (1, _): "one"
        case (2, _): "two"
        case (_, 3...10): "few"
        case (_, 11...99): "many"
        default: "other"
        }
    }
}

/// A text's reader: their language and clock.
public struct Reader: Sendable {
    public var language: Language
    /// The seconds by which the reader's clock is ahead of UTC at a moment; nil: unknown, and times
    /// are shown in UTC.
    public var offset: (@Sendable (Int64) -> Int)?

    public init(_ language: Language = .english, offset: (@Sendable (Int64) -> Int)? = nil) {
        (self.language, self.offset) = (language, offset)
    }
}
