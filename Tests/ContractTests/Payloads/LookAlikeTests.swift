import Contract
import Testing

struct LookAlikeTests {
    @Test(arguments: [
        ("Mum", "mum"), ("Mum", "Mu\u{043C}"), ("Anna", "\u{0410}nn\u{0430}"), ("Bill", "B1ll"),
        ("Ann Lee", "AnnLee"), ("Olo", "0l0"), ("Ann", "Ａｎｎ"), ("Eva", "E\u{200D}va"),
    ])
    func `Names that look the same, different letters, are the same`(_ one: String, _ other: String)
    {
        #expect(LookAlike(one) == LookAlike(other))
    }

    @Test(arguments: [("Ann", "Anne"), ("Ann", "Änn"), ("Иван", "Ивaна"), ("東京", "京都")])
    func `Names that look different are not the same`(_ one: String, _ other: String) {
        #expect(LookAlike(one) != LookAlike(other))
    }
}
