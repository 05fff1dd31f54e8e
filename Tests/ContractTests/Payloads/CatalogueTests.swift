import Contract
import Languages
import Testing
import Tracking

/// The server's texts in other languages.
struct CatalogueTests {
    private let catalogues = Catalogues([
        .german: Array(
            #"""
            {"{name} is coming.":"{name} kommt.","{count} groups":{"one":"eine Gruppe","other":"{count} Gruppen"},
             "{text} ({group})":"{group}: {text}","The last position is {count} days old.":7}
            """#.utf8),
        .arabic: Array(
            #"{"{count} groups":{"two":"مجموعتان","few":"{count} مجموعات","other":"o"}}"#.utf8),
        .french: Array("[no catalogue".utf8),
    ])

    private func groups(_ count: Int, _ language: Language) -> String {
        catalogues.say(Phrase(.groupCount, ["count": .number(count)]), to: Reader(language))
    }

    @Test func `A text is in the reader's language or falls back to English`() {
        let coming = Phrase(.helperComing, ["name": .text("Ben")])
        #expect(catalogues.say(coming, to: Reader(.german)) == "Ben kommt.")
        #expect(catalogues.say(coming, to: Reader(.italian)) == "Ben is coming.")
        #expect(catalogues.say(coming, to: Reader(.french)) == "Ben is coming.")
        #expect(catalogues.say(coming) == "Ben is coming.")
    }

    @Test func `Braces in a name are not placeholders`() {
        let phrase = Phrase(.inGroup, ["text": .text("{group}"), "group": .text("{text} {x")])
        #expect(catalogues.say(phrase) == "{group} ({text} {x)")
        #expect(catalogues.say(phrase, to: Reader(.german)) == "{text} {x: {group}")
    }

    @Test func `A number selects the plural form by the language's rules`() {
        #expect(
            [0, 1, 2].map { groups($0, .german) } == ["0 Gruppen", "eine Gruppe", "2 Gruppen"])
        #expect([0, 1, 2].map { groups($0, .english) } == ["0 groups", "1 group", "2 groups"])
        #expect(
            [2, 3, 110, 100].map { groups($0, .arabic) } == [
                "مجموعتان", "3 مجموعات", "110 مجموعات", "o",
            ])
        let days = Phrase(.positionDaysOld, ["count": .number(1)])
        #expect(catalogues.say(days, to: Reader(.german)) == "The last position is 1 day old.")
    }

    @Test func `Times use the reader's clock, with the date unless they are near`() {
        let noon = Timestamp(milliseconds: 1_795_521_600_000)
        func told(_ time: Timestamp, _ offset: Int?) -> String {
            let phrase = Phrase(
                .checkInStarted, ["name": .text("Ann"), "time": .clock(time, near: noon)])
            guard let offset else { return catalogues.say(phrase) }
            return catalogues.say(phrase, to: Reader(offset: { _ in offset }))
        }
        #expect(told(noon, nil) == "Ann will check in by 12:00 UTC.")
        #expect(told(noon, 3_600) == "Ann will check in by 13:00.")
        #expect(
            told(noon + .seconds(50_000), nil) == "Ann will check in by 2026-11-25 01:53 UTC.")
        #expect(
            told(noon + .seconds(8_200_000), -43_200) == "Ann will check in by 2027-02-26 21:46.")
    }

    @Test func `Every text with a singular form has its count in the plural`() {
        for text in ServerText.allCases where text.one != nil {
            #expect(text.rawValue.contains("{count}"), "\(text)")
        }
        #expect(Set(ServerText.allCases.map(\.rawValue)).count == ServerText.allCases.count)
    }
}
