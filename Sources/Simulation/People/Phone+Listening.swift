import Contract
import MQTT
import Tracking

extension Phone {
    func look(at friend: Name) {
        guard let wire, wire.isOpen else { return }
        let quality: QoS = world.chance.happens(50) ? .atLeastOnce : .atMostOnce
        world.broker.subscribe(world.topics.string(.location(friend)), quality, wire)
    }

    func takeReceipt(_ number: Int64) {
        for fix in kept where fix.sequence <= number && !fix.isDoubtful {
            if !world.oracles.isStored(fix.takenAt, user, device), isLoggedIn {
                world.oracles.fail("receipts", "\(id): \(fix.sequence) is not stored")
            }
        }
        kept.removeAll { $0.sequence <= number }
    }
}
