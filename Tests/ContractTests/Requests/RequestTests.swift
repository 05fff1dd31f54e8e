import Contract
import JSON
import Testing

/// The envelope: members beside a request's own fields, and the reply.
struct RequestTests {
    private func id(_ payload: String) -> String {
        var text = "nothing"
        let outcome = refusal { () throws(Problem) in
            let request = try Request(payload.bytes)
            guard let id = request.id else { return }
            var json = JSONWriter()
            json.value(id)
            text = json.bytes.text
        }
        return outcome == "accepted" ? text : outcome
    }

    private let badID = "invalid: id must be a string of at most 128 bytes or a number"

    @Test(arguments: [
        ("", "nothing"), ("{}", "nothing"), (#"{"id":null}"#, "nothing"),
        (#"{"id":"a-7"}"#, #""a-7""#), (#"{"id":""}"#, #""""#), (#"{"id":"ä\n"}"#, #""ä\u000a""#),
        (#"{"id":7}"#, "7"), (#"{"id":-1.5}"#, "-1.5"),
        (#"{"id":9007199254740991}"#, "9007199254740991"),
        ("5", "invalid: payload must be an object"), ("[]", "invalid: payload must be an object"),
        ("{", "malformed"), ("group.create", "malformed"), ("\u{0}", "malformed"),
    ])
    func `An id is a string or a number and is echoed unchanged`(
        _ payload: String, _ expected: String
    ) {
        #expect(id(payload) == expected)
    }

    @Test(arguments: ["true", "[]", "{}", "1e400", "-1e400"])
    func `An invalid id is refused`(_ value: String) {
        #expect(id("{\"id\":\(value)}") == badID)
    }

    @Test func `An id has at most 128 bytes`() {
        let longest = String(repeating: "x", count: 128)
        #expect(id("{\"id\":\"\(longest)\"}") == "\"\(longest)\"")
        #expect(id("{\"id\":\"\(longest)x\"}") == badID)
        let wide = String(repeating: "é", count: 64)
        #expect(id("{\"id\":\"\(wide)\"}") == "\"\(wide)\"")
        #expect(id("{\"id\":\"\(wide)x\"}") == badID)
    }

    @Test func `A reply has the id and a result, or a problem`() throws {
        let request = try Request(#"{"id":"a-7"}"#.bytes)
        #expect(
            Reply(id: request.id, .result(#"{"group":"x"}"#.bytes)).payload.text
                == #"{"id":"a-7","result":{"group":"x"}}"#)
        #expect(Reply(id: nil, .result("{}".bytes)).payload.text == #"{"result":{}}"#)
        #expect(
            Reply(id: request.id, .problem(Problem(.unknownGroup, "No."))).payload.text == """
                {"id":"a-7","problem":{"type":"urn:kith:problem:unknown-group",\
                "title":"There is no such group","status":404,"detail":"No."}}
                """)
    }
}
