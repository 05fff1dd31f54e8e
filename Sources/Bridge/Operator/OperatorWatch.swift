internal import Contract
internal import Foundation
internal import Tracking

/// Looks, as often as the loop goes round, whether the operator has to be notified.
struct OperatorWatch {
    private let notifier: OperatorNotifier
    private var news = ConcernNews()
    private var lookedAt: Duration?
    private var beatenAt: Duration?
    private let host: String

    static let heartbeat = Duration.seconds(60)
    private static let pace = Duration.seconds(1)

    init(_ notifier: OperatorNotifier) {
        self.notifier = notifier
        host = ProcessInfo.processInfo.hostName
    }

    /// - Parameters:
    ///   - concerns: what there is besides that the bridge does not serve.
    ///   - trouble: why it does not; nil if it does.
    ///   - now: by the steady clock.
    mutating func look(
        _ concerns: @autoclosure () -> [Concern], trouble: Concern?, at now: Duration
    ) {
        if let lookedAt, now - lookedAt < OperatorWatch.pace { return }
        lookedAt = now
        let found = news.look(at: Set(concerns() + [trouble].compactMap(\.self)), now)
        if !found.isEmpty { notifier.tell(found, on: host) }
        guard trouble == nil, beatenAt.map({ now - $0 >= OperatorWatch.heartbeat }) ?? true else {
            return
        }
        beatenAt = now
        notifier.beat()
    }
}
