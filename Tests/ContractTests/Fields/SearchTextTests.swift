import Contract
import Testing

struct SearchTextTests {
    @Test(arguments: [
        ("LIB", true), ("rary\nbo", false), ("library", true), ("", true), ("cafe\u{301}", true),
        ("é", true), ("libraryx", false), ("ks", true),
    ])
    func `A part is found whatever its letters look like, and not across two texts`(
        part: String, isFound: Bool
    ) {
        let text = SearchText(["Library Café", nil, "Books"])
        #expect(text.contains(SearchText(part)) == isFound)
    }

    @Test func `Text without anything has no part but the empty one`() {
        let text = SearchText([nil])
        #expect(text.length == 0)
        #expect(text.contains(SearchText("")))
        #expect(!text.contains(SearchText("a")))
    }
}
