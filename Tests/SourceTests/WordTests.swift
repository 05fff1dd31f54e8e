import Testing

/// Words that make English sound translated (CONTRIBUTING.md), in all that people read.
struct WordTests {
    @Test func `Titles of tests name the component first`() throws {
        let headless =
            #/(?:func `|@(?:Test|Suite)\(\s*"|\b(?:test|describe)\(")(?:Wh(?:at|o|om|ose)(?:ever)?|They|It|One|(?:No|Some|Every)body) /#
        #expect(try ProjectText.lines(with: headless, in: ["Tests"], [".swift", ".test.js"]) == [])
    }

    @Test func `People are notified, values are reported`() throws {
        let words =
            #/(?i)\b(?:is|are|was|were|be|been|being) told\b|\bwhoever\b|\banew\b|was it not you/#
        let sources = [
            "Sources", "Tests", "Fuzz/Sources", "docs", "pages", "monitoring", "broker-config",
        ]
        let endings = [".swift", ".md", ".js", ".html", ".yaml", ".conf", ".py"]
        #expect(try ProjectText.lines(with: words, in: sources, endings) == [])
        #expect(try ProjectText.lines(with: words, in: ["."], [".md"], atLeast: 3) == [])
    }
}
