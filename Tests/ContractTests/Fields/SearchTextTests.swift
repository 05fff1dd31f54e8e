import Contract
import Testing

struct SearchTextTests {
    @Test(arguments: [
        ("LIB", true), ("rary\nbo", false), ("library", true), ("", true), ("cafe\u{301}", true),
        ("é", true), ("libraryx", false), ("ks", true),
    ])
    func `A search ignores case and composition and does not span two texts`(
        part: String, isFound: Bool
    ) {
        let text = SearchText(["Library Café", nil, "Books"])
        #expect(text.contains(SearchText(part)) == isFound)
    }

    @Test func `An empty text contains only the empty search text`() {
        let text = SearchText([nil])
        #expect(text.length == 0)
        #expect(text.contains(SearchText("")))
        #expect(!text.contains(SearchText("a")))
    }
}
