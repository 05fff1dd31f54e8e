/// A language that the page and the server speak.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case german = "de"
    case italian = "it"
    case french = "fr"
    case spanish = "es"
    case arabic = "ar"

    /// The category of a whole number, of which a catalogue has a form each (Unicode CLDR, plural
    /// rules for cardinals).
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

/// Who reads a text: in which language, and by which clock.
public struct Reader: Sendable {
    public var language: Language
    /// By how many seconds the reader's clock is ahead of UTC at a moment; nil: it is not known, and
    /// times are told in UTC.
    public var offset: (@Sendable (Int64) -> Int)?

    public init(_ language: Language = .english, offset: (@Sendable (Int64) -> Int)? = nil) {
        (self.language, self.offset) = (language, offset)
    }
}
