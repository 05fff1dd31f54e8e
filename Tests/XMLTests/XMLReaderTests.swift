import Testing

@testable import XML

/// XML, including malicious documents.
struct XMLReaderTests {
    /// Records what it sees, and refuses elements called `no`.
    private struct Notes: XMLFormat {
        struct No: Error, Hashable {}
        var seen: [String] = []

        mutating func start(_ name: Substring, _ attributes: [String: String]) throws(No) {
            if name == "no" { throw No() }
            let pairs = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            seen.append(([String(name)] + pairs).joined(separator: " "))
        }

        mutating func end(_ name: Substring, _ text: String) throws(No) {
            seen.append("/\(name) \(text)")
        }
    }

    private func read(_ text: String) throws(XMLError<Notes.No>) -> [String] {
        try XMLReader.read(Array(text.utf8), Notes()).seen
    }

    private func refusal(_ text: String) -> String {
        do throws(XMLError<Notes.No>) {
            return "\(try read(text))"
        } catch {
            switch error {
            case .malformed(let reason, let line): return "\(line): \(reason)"
            case .refused(_, let line): return "\(line): refused"
            }
        }
    }

    @Test func `Elements, attributes and text are read in order, without prefixes`() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="ISO-8859-1"?><!-- x -->\
            <a:r xmlns:a="y" k="1 &lt; 2">
            <t>é &#x41;&amp;<![CDATA[<b>]]></t><a:e/></a:r>
            """
        #expect(
            try read(text) == ["r k=1 < 2 xmlns:a=y", "t", "/t é A&<b>", "e", "/e ", "/r "])
    }

    @Test func `XML that is not well-formed is refused with its line`() {
        for text in [
            "", "<a>", "<a></b>", "<a/><b/>", "<a>&none;</a>", "<a b=1/>", "text", "<a>\u{0}</a>",
        ] {
            #expect(refusal(text).hasSuffix("not well-formed XML"), "\(text): \(refusal(text))")
        }
        #expect(refusal("<a>\n<b>\n</a>") == "3: not well-formed XML")
        #expect(refusal("<a>\n<no/></a>") == "2: refused")
    }

    @Test func `Document type declarations and endless nesting are refused`() {
        let bomb = """
            <!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <a>&b;</a>
            """
        #expect(refusal(bomb) == "1: it has a document type declaration")
        let file = #"<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>"#
        #expect(refusal(file) == "1: it has a document type declaration")
        let deep = String(repeating: "<a>", count: 10_000)
        #expect(refusal(deep) == "1: its elements are nested too deeply")
    }

    @Test func `An overlong name is ignored for attributes and refused for elements`() throws {
        let longest = String(repeating: "n", count: 256)
        #expect(
            try read("<\(longest) \(longest)='1'/>") == ["\(longest) \(longest)=1", "/\(longest) "])
        #expect(try read("<a b='1' \(longest)n='2'/>") == ["a b=1", "/a "])
        #expect(refusal("<a>\n<\(longest)n/></a>") == "2: the name of an element is too long")
    }

    @Test func `Bytes that are not text are replaced`() throws {
        let bytes = Array("<a>".utf8) + [0xFF, 0xC3] + Array("</a>".utf8)
        #expect(try XMLReader.read(bytes, Notes()).seen == ["a", "/a \u{FFFD}\u{FFFD}"])
    }
}
