import Foundation
import Testing

@testable import Contract

struct LookAlikeTests {
    @Test(arguments: [
        ("Mum", "mum"), ("Mum", "Mu\u{043C}"), ("Anna", "\u{0410}nn\u{0430}"), ("Bill", "B1ll"),
        ("Ann Lee", "AnnLee"), ("Olo", "0l0"), ("Ann", "Ａｎｎ"), ("Eva", "E\u{200D}va"),
        ("Mum", "\u{039C}um"), ("Mum", "Mum\u{2800}"), ("Mum", "\u{A4DF}um"),
        ("Mum", "Mu\u{0335}m"),
        ("Mum", "Murn"), ("Anna", "\u{0251}nna"), ("Hans", "\u{0397}ans"), ("Mum", "M\u{1D1C}m"),
    ])
    func `Names that look alike are equal despite different letters`(_ one: String, _ other: String)
    {
        #expect(LookAlike(one) == LookAlike(other))
    }

    @Test func `The page has the same table of letters`() throws {
        let path =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
            .joined(separator: "/") + "/pages/js/known/look-alike.js"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var pairs: [Unicode.Scalar: Unicode.Scalar] = [:]
        for match in text.matches(of: #/\b([a-z]): "([^"]+)"/#) {
            for other in match.2.unicodeScalars { pairs[other] = match.1.unicodeScalars.first }
        }
        #expect(pairs == LookAlike.latin)
    }

    @Test(arguments: [("Ann", "Anne"), ("Ann", "Änn"), ("Иван", "Ивaна"), ("東京", "京都")])
    func `Names that look different are not equal`(_ one: String, _ other: String) {
        #expect(LookAlike(one) != LookAlike(other))
    }
}
