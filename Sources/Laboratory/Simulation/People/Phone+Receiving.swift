import Contract
import JSON
import MQTT

extension Phone {
    /// Handles a delivered message, as the app would.
    func take(_ message: Message) {
        guard let topic = world.topics.parse(message.topic) else { return }
        switch topic {
        case .stored:
            if let n = JSONValue.of(message.payload)["seq"]?.integer { takeReceipt(n) }
        case .rejected:
            let told = JSONValue.of(message.payload)
            let again = Set((told["again"]?.elements ?? []).compactMap(\.integer))
            for number in told["seq"]?.elements ?? []
            where !again.contains(number.integer ?? -1) {
                kept.removeAll { $0.sequence == number.integer && $0.isDoubtful }
            }
        case .replies: takeReply(.of(message.payload))
        default: for area in world.areas { area.received(message, on: topic, by: self) }
        }
    }

    private func takeReceipt(_ number: Int64) {
        for fix in kept where fix.sequence <= number && !fix.isDoubtful {
            if !world.oracles.isStored(fix.takenAt, user, device), isLoggedIn {
                world.oracles.fail("receipts", "\(id): \(fix.sequence) is not stored")
            }
        }
        kept.removeAll { $0.sequence <= number }
    }

    private func takeReply(_ reply: JSONValue) {
        guard let id = reply["id"]?.integer, let request = answered(Int(id)) else { return }
        for area in world.areas { area.answered(request, reply, to: self) }
    }
}
