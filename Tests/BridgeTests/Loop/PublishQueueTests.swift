import MQTT
import Testing

@testable import Bridge

/// Messages that wait until the broker has room. `a!` is a retained QoS 1 message on topic a, `a.`
/// a QoS 0 one, `a>` one that is not retained; the number is the payload.
struct PublishQueueTests {
    private func publication(_ text: String) -> Publication {
        let characters = Array(text)
        return Publication(
            topic: String(characters[0]), payload: Array(String(characters[2...]).utf8),
            qos: characters[1] == "." ? .atMostOnce : .atLeastOnce,
            retain: characters[1] != ">")
    }

    private func text(_ publication: Publication) -> String {
        let mark = publication.retain ? publication.qos == .atMostOnce ? "." : "!" : ">"
        return publication.topic + mark + String(decoding: publication.payload, as: UTF8.self)
    }

    /// Offers the messages while there is no room.
    ///
    /// - Returns: the messages sent on at once, and those that waited, in the order of sending.
    private func offer(_ messages: String, hasRoom: Bool = false) -> (on: String, waited: String) {
        var room = PublishQueue()
        var on: [String] = []
        for message in messages.split(separator: " ") {
            let publication = publication(String(message))
            if !room.holdsBack(publication, hasRoom) { on.append(String(message)) }
        }
        var waited: [String] = []
        while let next = room.next() { waited.append(text(next)) }
        return (on.joined(separator: " "), waited.joined(separator: " "))
    }

    @Test(arguments: [
        ("a!1 b!2 c>3", "", "a!1 b!2 c>3"),
        ("a!1 b!2 a!3", "", "a!3 b!2"),
        ("c>1 c>2 c>3", "", "c>1 c>2 c>3"),
        ("a.1 b.2", "a.1 b.2", ""),
        ("a!1 a.2 b.3", "b.3", "a!2"),
        ("a!1 a.2 a!3 a.4", "", "a!4"),
        ("a!1 a! c>2", "", "a! c>2"),
    ])
    func `The queue keeps only the newest message of a retained topic, others in order`(
        _ messages: String, _ on: String, _ waited: String
    ) {
        let outcome = offer(messages)
        #expect(outcome.on == on)
        #expect(outcome.waited == waited)
    }

    @Test func `Messages are sent immediately if there is room and none waits`() {
        #expect(offer("a!1 b>2 a.3", hasRoom: true).on == "a!1 b>2 a.3")
    }

    @Test func `New messages do not overtake waiting ones, even if there is room`() {
        var room = PublishQueue()
        var held: [Bool] = []
        var waited: [String?] = []
        held.append(room.holdsBack(publication("a!1"), false))
        held.append(room.holdsBack(publication("b>2"), true))
        waited.append(room.next().map(text))
        held.append(room.holdsBack(publication("a!3"), true))
        for _ in 1...3 { waited.append(room.next().map(text)) }
        held.append(room.holdsBack(publication("a!4"), true))
        #expect(held == [true, true, true, false])
        #expect(waited == ["a!1", "b>2", "a!3", nil])
    }
}
