import Browser
import Testing

/// The language of the page.
@Suite(.timeLimit(.minutes(2)))
struct LanguagePageTests {
    @Test func `A user chooses a language, and the page uses it from then on`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            // A service that does not keep it for the person.
            page.visitor.tolerate { $0.url.contains("account.update") }
            try await page.visit("Me")
            try await page.choose("Deutsch", in: .field("Language"))
            try await page.wait(
                for: "a page in German",
                "document.documentElement.lang === 'de' && document.querySelector('.shell')")
            try await page.run("location.hash = '#me'")
            try await page.sees("Meine Daten")
            try await page.reload()
            try await page.sees("Meine Daten")
            try await page.choose("العربية", in: .field("Sprache"))
            try await page.wait(
                for: "a page from the right",
                "document.documentElement.dir === 'rtl' && document.querySelector('.shell')")
            try await page.run("location.hash = '#me'")
            try await page.sees("بياناتي")
        }
    }
}
