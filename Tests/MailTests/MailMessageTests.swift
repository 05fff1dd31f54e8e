import Testing

@testable import Mail

struct MailMessageTests {
    private func message(
        name: String? = "Ann", subject: String = "Hello", text: String = "Hello\n",
        id: String = "a.1", urgent: Bool = false, unsubscribe: String? = nil
    ) throws -> String {
        let message = try MailMessage(
            from: Mailbox("kith@example.org", name: "Kith"),
            to: Mailbox("ann@example.com", name: name), subject: subject, text: text, id: id,
            date: 1_795_381_270, isUrgent: urgent, unsubscribe: unsubscribe)
        return String(decoding: message.bytes, as: UTF8.self)
    }

    @Test func `A message is written by the standards`() throws {
        let lines = try message(
            name: "Žan", subject: "SOS – Žan", text: "Žan = here\n\nBye \n.", urgent: true,
            unsubscribe: "https://kith.example/u?t=1")
        #expect(
            lines.replacing("\r\n", with: "\n") == """
                Date: Sun, 22 Nov 2026 21:01:10 +0000
                From: "Kith"
                 <kith@example.org>
                To: =?utf-8?B?xb1hbg==?=
                 <ann@example.com>
                Message-ID: <a.1@example.org>
                Subject: =?utf-8?B?U09TIOKAkyDFvWFu?=
                Auto-Submitted: auto-generated
                Importance: high
                X-Priority: 1
                List-Unsubscribe: <https://kith.example/u?t=1>
                List-Unsubscribe-Post: List-Unsubscribe=One-Click
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: quoted-printable

                =C5=BDan =3D here

                Bye=20
                =2E

                """)
        #expect(!lines.replacing("\r\n", with: "").utf8.contains { $0 == 13 || $0 == 10 })
    }

    @Test(arguments: [
        "a\r\nBcc: x@y", "a\nBcc: x@y\n\nHello", "a\rBcc: x", "a\u{2028}b\u{85}c\u{0}d",
        String(repeating: "ž", count: 400), String(repeating: "a", count: 1000),
        "=?utf-8?Q?=0D=0A?=", "\"", "\\", " a ", "",
    ])
    func `Names and subjects add no header lines, and lines are short ASCII`(_ words: String) throws
    {
        let plain = try message()
        let text = try message(name: words, subject: words)
        func names(_ text: String) -> [Substring] {
            text.prefix { _ in true }.split(separator: "\r\n\r\n", maxSplits: 1)[0]
                .split(separator: "\r\n").filter { $0.first != " " }.map { $0.prefix { $0 != ":" } }
        }
        #expect(names(text) == names(plain))
        for line in text.utf8.split(separator: 10) {
            #expect(line.count <= 77)
            #expect(line.last == 13)
            #expect(line.dropLast().allSatisfy { (0x20...0x7E).contains($0) })
        }
    }

    @Test(arguments: [
        "", "ann", "@", "ann@", "@example.org", "a@b@c", "a b@example.org", "a@example.org\r\nX: y",
        "<a@example.org>", "\"a b\"@example.org", "a..b@example.org", ".a@example.org",
        "a@.example.org", "a,b@example.org", "žan@example.org", "a@b\u{0}", "a(x)@example.org",
        String(repeating: "a", count: 251) + "@b.c",
    ])
    func `An address that is not plain is refused`(_ address: String) {
        #expect(throws: MailError.address) { try Mailbox(address) }
    }

    @Test func `Ids, links and lengths are checked`() throws {
        for id in ["", "a b", "a>b", "a\r\nb", "a@b", ".a", String(repeating: "a", count: 201)] {
            #expect(throws: MailError.identifier, "\(id)") { try message(id: id) }
        }
        for link in ["http://a.b", "https://a>b", "https://a b", "https://a\r\nX: y", ""] {
            #expect(throws: MailError.link, "\(link)") { try message(unsubscribe: link) }
        }
        #expect(throws: MailError.tooLong) {
            try message(subject: String(repeating: "a", count: 1001))
        }
        #expect(throws: MailError.tooLong) {
            try Mailbox("a@b.c", name: String(repeating: "a", count: 1001))
        }
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 +0000"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 +0000"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 +0000"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 +0000"),
        (-1, "Thu, 01 Jan 1970 00:00:00 +0000"), (.max, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ])
    func `A date is correct by the calendar`(_ seconds: Int64, _ text: String) {
        #expect(MailDate.text(seconds) == text)
    }

    @Test(arguments: [
        ("", ""), ("\n", "\r\n"), ("a", "a\r\n"), ("a\r\nb\n", "a\r\nb\r\n"),
        ("a\n\n", "a\r\n\r\n"),
        ("a \nb\t", "a=20\r\nb=09\r\n"), (".a\n..", "=2Ea\r\n=2E.\r\n"),
        ("From x\nFoF", "=46rom x\r\n=46oF\r\n"), ("a=b", "a=3Db\r\n"),
        ("a\rb\u{0}", "a=0Db=00\r\n"),
        (String(repeating: "a", count: 76), String(repeating: "a", count: 76) + "\r\n"),
        (
            String(repeating: "a", count: 77),
            String(repeating: "a", count: 75) + "=\r\naa\r\n"
        ),
    ])
    func `Text is encoded in lines of at most 76 characters`(_ text: String, _ encoded: String) {
        #expect(QuotedPrintable.encode(text) == encoded)
    }
}
