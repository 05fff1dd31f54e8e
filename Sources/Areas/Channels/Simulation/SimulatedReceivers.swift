import Bridge
import Contract
import Tracking

/// The simulated push services, mail servers, webhooks and dispatch centres, and the messages on
/// their way there.
final class SimulatedReceivers {
    private unowned let world: World
    private var underWay: [(at: Duration, delivery: Delivery, result: DeliveryOutcome.Result)] = []
    private var outcomes: [any WorkOutcome] = []
    private var calls: [(at: Duration, outcome: DispatchOutcome)] = []
    /// Messages that have arrived or were permanently refused, by channel and message.
    private(set) var arrived: Set<Arrival> = []
    /// The codes received by mail, by channel.
    private(set) var codes: [UUIDv7: String] = [:]

    struct Arrival: Hashable {
        let channel: String
        let message: String
    }

    init(_ world: World) { self.world = world }

    func send(_ deliveries: [Delivery]) {
        for delivery in deliveries {
            underWay.append(
                (world.steady + world.chance.milliseconds(5...8_000), delivery, result()))
        }
    }

    func send(_ calls: [DispatchCall]) {
        for call in calls {
            let outcome = DispatchOutcome(call.key, by: call.way, answer())
            self.calls.append((world.steady + world.chance.milliseconds(5...8_000), outcome))
        }
    }

    private func answer() -> DispatchOutcome.Result {
        switch world.chance.number(0...9) {
        case 0..<4: .taken
        case 4..<7: .failed(.unreachable)
        case 7: .answered(DispatchAnswer(.acknowledged))
        case 8: .answered(DispatchAnswer(.refused))
        default: .answered(DispatchAnswer(.closed))
        }
    }

    private func result() -> DeliveryOutcome.Result {
        guard world.trouble != nil else { return .delivered }
        switch world.chance.number(0...99) {
        case 0..<70: return .delivered
        case 70..<85: return .failed(.timeout, after: nil)
        case 85..<92: return .failed(.refused, after: nil)
        case 92..<97: return .failed(.tooMany, after: world.chance.milliseconds(1_000...90_000))
        default: return .failed(.gone, after: nil)
        }
    }

    /// Returns the outcomes since the last call. The receiver keeps a message even if the process
    /// that sent it has ended.
    func takeOutcomes() -> [any WorkOutcome] {
        let answered = calls.filter { $0.at <= world.steady }
        calls.removeAll { $0.at <= world.steady }
        let due = underWay.filter { $0.at <= world.steady }
        underWay.removeAll { $0.at <= world.steady }
        for (_, delivery, result) in due {
            outcomes.append(DeliveryOutcome(of: delivery, result))
            // A receiver that is gone will never accept it.
            guard [.delivered, .failed(.gone, after: nil)].contains(result) else { continue }
            arrived.insert(
                Arrival(channel: delivery.channel.description, message: delivery.message.id))
            if delivery.message.kind == "code" {
                codes[delivery.channel] = String(delivery.message.title.suffix(8))
            }
        }
        defer { outcomes = [] }
        return outcomes + answered.map(\.outcome)
    }

    /// Loses the outcomes of deliveries in progress, because the process ended.
    func forgetOutcomes() {
        outcomes = []
        _ = takeOutcomes()
        underWay = underWay.filter { _ in world.chance.happens(50) }
        calls = []
    }

    var isIdle: Bool { underWay.isEmpty && calls.isEmpty }
}
