import MQTT
import TestBroker
import Testing

/// The broker saves when the gate orders it.
struct SavingTests {
    /// So that it would not save by itself.
    private static func seldom(_ template: String) -> String {
        template.replacing("autosave_interval 30", with: "autosave_interval 3600")
    }

    @Test func `Messages that arrive while the bridge is away are saved soon`() async throws {
        try await withGate(changing: SavingTests.seldom) { gate in
            try gate.settle()
            let bridge = try gate.client("kith:bridge") { options in
                (options.cleanStart, options.sessionExpiry) = (false, 3600)
            }
            try bridge.connect()
            try bridge.listen(to: "kith/users/+/devices/+/fix")
            let phone = try gate.enter("alice.phone")
            try bridge.cutTheLine()

            try phone.publish("kith/users/alice/devices/phone/fix", "while it was away")
            try phone.catchUp()
            try turn(phone) { gate.broker.hasSaved("while it was away") }
            await gate.broker.kill()
            try await gate.broker.start()
            try bridge.connect()
            try turn([bridge]) { !bridge.messages.isEmpty }
            #expect(bridge.payloads == ["while it was away"])
        }
    }
}
