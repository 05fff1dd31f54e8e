import Testing

/// Errors are handled where they are caught (CONTRIBUTING.md).
struct ErrorTests {
    @Test func `The sources neither discard errors nor end the process for them`() throws {
        #expect(try ProjectText.lines(with: #/\btry[?!]/#, in: ["Sources"], [".swift"]) == [])
    }
}
