import MQTT
import NIOCore
import Testing

@testable import Web

/// The text of an event.
struct EventTests {
    private func data(_ payload: String, retain: Bool = false) -> String {
        let message = Message(topic: "t", payload: Array(payload.utf8), retain: retain)
        let text = String(buffer: Event(message).lines)
        #expect(text.hasSuffix("\n\n"))
        return String(text.dropLast(2))
    }

    @Test func `A JSON payload is sent as it is, any other as a text`() {
        #expect(data(#"{"a":1.50}"#) == #"data: {"topic":"t","payload":{"a":1.50},"retain":false}"#)
        #expect(data("online") == #"data: {"topic":"t","payload":"online","retain":false}"#)
        #expect(data("", retain: true) == #"data: {"topic":"t","payload":null,"retain":true}"#)
    }

    @Test(arguments: ["{\n\"a\":\r1}", "no\n\nevent: reset\n\n", "[1,\r\n2]"])
    func `No payload can begin another line`(_ payload: String) {
        let text = data(payload)
        #expect(!text.contains("\n") && !text.contains("\r"))
    }

    @Test func `An id can be parsed from its text`() {
        let id = EventID(epoch: 123_456_789, number: 42)
        #expect(EventID(id.text) == id)
        for text in ["", "1", "-", "1-", "-1", "1-1-1", "z z-1", "1--1"] {
            #expect(EventID(text) == nil, "\(text)")
        }
    }
}
