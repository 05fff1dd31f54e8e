import Contract
import Testing

@testable import Web

/// What the demo's visitors may send: nothing that others would notice, and nothing about where
/// they are.
struct DemoRulesTests {
    private func isAllowed(_ method: String, _ body: String) -> Bool {
        do throws(Problem) {
            try DemoRules.check(method, Array(body.utf8))
            return true
        } catch {
            #expect(error.kind == .notAllowed)
            return false
        }
    }

    @Test func `No writing method is for the demo`() {
        for method in Method.all where !method.isRead {
            #expect(!method.isForDemo, "\(method)")
            #expect(!isAllowed(method.name, "{}"), "\(method)")
        }
        #expect(!isAllowed("no.method", "{}"))
        #expect(!isAllowed("SOS.trigger", "{}"))
    }

    @Test func `Every method for the demo can be called`() {
        let methods = Method.all.filter(\.isForDemo)
        #expect(methods.count > 10)
        for method in methods { #expect(isAllowed(method.name, "{}"), "\(method)") }
        #expect(isAllowed("friend.nearby", #"{"radius":100}"#))
        #expect(isAllowed("friend.nearby", #"{"radius":100,"fix":null}"#))
    }

    @Test(arguments: [
        #"{"radius":100,"fix":{"latitude":1,"longitude":2}}"#,
        #"{"fix":null,"fix":{"latitude":1}}"#, #"{"fix":{"latitude":1},"fix":null}"#,
        #"{"\u0066\u0069x":{"latitude":1}}"#, #"{"f\u0069x":1}"#,
        #"[{"fix":1}]"#, #"[[[{"latitude":1}]]]"#, #"{"with":{"at":[{"lon":1}]}}"#,
        #"{"destination":{"name":"home"}}"#, #"{"a":{"position":[1,2]}}"#,
        "  \n{\"fix\" :\t[1, 2]}",
    ])
    func `No position is accepted, however it is written`(_ body: String) {
        for method in Method.all where method.isForDemo {
            #expect(!isAllowed(method.name, body), "\(method)")
        }
    }
}
