import Contract
import Testing
import Tracking

/// The text allowed in a chat, and the form of a message.
struct ChatTests {
    private func reason(_ text: String) -> String {
        do {
            return try ChatText(text).text == text ? "ok" : "changed"
        } catch {
            return error.text
        }
    }

    @Test(arguments: [
        "x", " x ", "a\nb\tc", "Ünïcödé", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "\u{E000}", "\u{10FFFF}",
        // Right to left, with marks, embeddings and isolates that end.
        "שלום\u{200F}!", "\u{061C}\u{200E}x", "\u{202B}x\u{202C}",
        "\u{2068}a\u{2067}b\u{2069}c\u{2069}",
        // Closing marks that close nothing have no effect.
        "x\u{202C}\u{2069}", "a\u{2028}b", String(repeating: "a", count: 4000),
        String(repeating: "👋", count: 4000),
    ])
    func `Valid text is kept as written`(_ text: String) {
        #expect(reason(text) == "ok")
    }

    @Test(arguments: [
        ("", "must not be empty"), (" \n\t", "must not be empty"),
        ("\u{200B}\u{FE0F}", "must not be empty"),
        (String(repeating: "a", count: 4001), "must have at most 4000 characters"),
        // One character to the eye, and 8,000 to the machine.
        ("e" + String(repeating: "\u{301}", count: 7999), "must have at most 4000 characters"),
        ("a\r\nb", "must not contain control characters other than newlines and tabs"),
        ("a\u{0}", "must not contain control characters other than newlines and tabs"),
        ("\u{1B}[31m", "must not contain control characters other than newlines and tabs"),
        ("\u{7F}x", "must not contain control characters other than newlines and tabs"),
        ("\u{85}x", "must not contain control characters other than newlines and tabs"),
        ("photo\u{202E}gnp.exe", "must not override the text direction"),
        ("\u{202D}x\u{202C}", "must not override the text direction"),
        ("\u{2067}x", "must close every direction change it opens"),
        ("x\u{2069}\u{2068}", "must close every direction change it opens"),
        ("\u{202A}\u{202B}x\u{202C}", "must close every direction change it opens"),
    ])
    func `Invalid text is refused with the reason`(_ text: String, _ expected: String) {
        #expect(reason(text) == expected)
    }

    private static let uuid = "019de2fc-9f39-7f39-b884-95061eb06ce2"

    private func message(
        _ kind: ChatMessage.Kind, _ words: String? = nil, from: ChatMessage.Person? = nil
    ) throws -> ChatMessage {
        ChatMessage(
            id: try #require(UUIDv7(ChatTests.uuid)),
            group: try #require(GroupKey("FamilyFamilyFamily_-09")), kind: kind,
            at: Timestamp(milliseconds: 1_777_629_600_001), from: from, words: words)
    }

    private let ann = ChatMessage.Person(user: "ann", name: "Ann \"A\"")

    @Test func `A message has every member of the contract`() throws {
        let payload = try message(.message, "a\n\"b\"", from: ann).payload
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"id":"\#(ChatTests.uuid)","group":"FamilyFamilyFamily_-09","kind":"message","#
                + #""from":"ann","name":"Ann \"A\"","at":"2026-05-01T10:00:00.001Z","#
                + #""text":"a\u000a\"b\""}"#)
    }

    @Test(arguments: [
        (ChatMessage.Kind.joined, "Ann \"A\" is in the group now."),
        (.left, "Ann \"A\" is no longer in the group."), (.online, "Ann \"A\" is online."),
        (.offline, "Ann \"A\" has gone offline."),
        (.renamed, "Ann \"A\" has renamed the group to N."), (.message, "N"),
    ])
    func `Each kind has a readable text`(_ kind: ChatMessage.Kind, _ text: String) throws {
        #expect(try message(kind, "N", from: ann).text == text)
    }

    @Test func `A message without an author has neither name nor text`() throws {
        for kind in ChatMessage.Kind.allCases {
            let payload = String(decoding: try message(kind, "words").payload, as: UTF8.self)
            #expect(
                payload == #"{"id":"\#(ChatTests.uuid)","group":"FamilyFamilyFamily_-09","#
                    + #""kind":"\#(kind.rawValue)","at":"2026-05-01T10:00:00.001Z"}"#)
        }
    }

    @Test func `The author is removed only from their own messages`() throws {
        let payload = try message(.message, "ann", from: ann).payload
        let (ann, ben): (Name, Name) = ("ann", "ben")
        #expect(ChatMessage.withoutAuthor(payload, if: ann) == (try message(.message).payload))
        #expect(ChatMessage.withoutAuthor(payload, if: ben) == nil)
        for bytes in ["", "[]", "x", #"{"from":7}"#] {
            #expect(ChatMessage.withoutAuthor(Array(bytes.utf8), if: ann) == nil)
        }
    }
}
