import Contract
import JSON
import Store
import Tracking

/// Channels reach people while none of their devices is connected; deliveries are messages on their
/// way there.
///
/// A message is written with the commit that causes it (``tell(_:…)``), submitted once that is on
/// disk, and deleted when the receiver has it or it is no longer of use. Sending is done elsewhere
/// (``DeliveryWorker``), without blocking the turn.
final class Channels: AreaHandler {
    typealias State = ChannelState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = [
        "deliveries", "deliveries-failed", "deliveries-given-up", "subscriptions-lost",
        "codes-refused",
    ]

    func perform(
        _ command: ChannelCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        let result =
            switch command {
            case .add(let target, let label): try add(target, label, by: person, on: device)
            case .confirm(let id, let code): try confirm(id, code, by: person)
            case .list: try list(of: person)
            case .update(let id, let news, let label, let quiet):
                try update(id, news: news, label: label, quiet: quiet, by: person)
            case .test(let id): try test(id, by: person)
            case .remove(let id): try remove(id, by: person)
            }
        switch command {
        case .add, .update, .test: noteUsage(.changes, of: person)
        case .confirm, .list, .remove: break
        }
        return result
    }

    func finish(_ people: [Person]) throws { try handOver() }

    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker] {
        [Worker(DeliveryWorker(settings.channels, outcomes).submit)]
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        try check(triedBefore: sweep.startedAt - Channels.checkedAfter, atMost: limit)
    }

    static func nextDue(_ memory: Memory) -> Timestamp? { memory.state(ChannelState.self).next }

    /// The time without a delivery after which a channel is checked.
    private static let checkedAfter = Duration.seconds(7 * 86_400)
}
