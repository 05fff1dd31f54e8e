import Contract
import JSON
import Testing

/// Problem details (RFC 9457).
struct ProblemTests {
    private func payload(_ problem: Problem) -> String {
        var json = JSONWriter()
        json.problem(problem)
        return json.bytes.text
    }

    @Test func `A problem has a type, a title, a status and a detail`() {
        #expect(
            payload(Problem(.notAMember, "You are not in it.")) == """
                {"type":"urn:kith:problem:not-a-member",\
                "title":"Not a member of that group","status":403,\
                "detail":"You are not in it."}
                """)
    }

    @Test func `Invalid fields are listed`() {
        let problem = Problem(invalid: [
            .init(field: "name", reason: "is missing"),
            .init(field: "destination.latitude", reason: "must be from -90 to 90"),
        ])
        #expect(
            payload(problem) == """
                {"type":"urn:kith:problem:invalid","title":"Some fields are not valid",\
                "status":422,"detail":"Some fields are not valid: name is missing; \
                destination.latitude must be from -90 to 90.",\
                "errors":[{"field":"name","reason":"is missing"},\
                {"field":"destination.latitude","reason":"must be from -90 to 90"}]}
                """)
    }

    @Test func `A JSON error states its position but not the text`() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(#"{"password":"secret""#.bytes)
        }
        #expect(
            error.map { Problem($0).detail }
                == "This is not valid JSON: '}' is missing, at byte 20.")
        #expect(error.map { Problem($0).words } == "malformed")
    }

    @Test func `Every kind has a unique type and title, and a fitting status`() {
        let problems = Problem.Kind.allCases.map { Problem($0, "") }
        #expect(Set(problems.map(\.type)).count == problems.count)
        #expect(Set(problems.map(\.title)).count == problems.count)
        // All but two are the client's to fix.
        let others = problems.filter { !(400..<500).contains($0.status) }
        #expect(others.map(\.kind) == [.directoryUnreachable, .diskFull])
        #expect(others.map(\.status) == [503, 507])
        #expect(problems.allSatisfy { $0.type == "urn:kith:problem:" + $0.kind.rawValue })
    }

    @Test func `A rejection has the topic and the refused sequence numbers`() {
        let problem = Problem(.tooOld, "The fix was taken longer ago than the service keeps fixes.")
        let details = payload(problem)
        #expect(
            Rejection(topic: "a/b", problem: problem).payload.text
                == #"{"topic":"a/b","problem":\#(details)}"#)
        #expect(
            Rejection(topic: "a/b", problem: problem, sequences: [1, 7]).payload.text
                == #"{"topic":"a/b","problem":\#(details),"seq":[1,7]}"#)
    }

    @Test func `A rejection of optional fields states that the rest was accepted`() {
        let problem = Problem(invalid: [.init(field: "speed", reason: "must be a number")])
        var rejection = Rejection(topic: "a/b", problem: problem)
        rejection.isTaken = true
        #expect(
            rejection.payload.text
                == #"{"topic":"a/b","problem":\#(payload(problem)),"taken":true}"#)
    }

    @Test func `A receipt has a sequence number`() {
        #expect(Receipt.payload(storedThrough: 17).text == #"{"seq":17}"#)
    }
}
