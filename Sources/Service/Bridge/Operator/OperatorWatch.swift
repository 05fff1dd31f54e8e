internal import Clocks
internal import Contract
internal import Foundation
internal import Tracking

/// Checks in each round of the loop whether the operator has to be notified.
struct OperatorWatch {
    private let notifier: OperatorNotifier
    private var news = ConcernNews()
    private var lookedAt: Duration?
    private var beatenAt: Duration?
    private var daily: DailyReport?
    /// The counts up to the last daily message.
    private var told = DailyFigures(fixes: 0, calls: 0)
    private let host: String

    static let heartbeat = Duration.seconds(60)
    private static let pace = Duration.seconds(1)

    init(_ notifier: OperatorNotifier) {
        self.notifier = notifier
        daily = notifier.dailyReport
        host = ProcessInfo.processInfo.hostName
    }

    var isUnreachable: Bool { notifier.isUnreachable }

    /// - Parameters:
    ///   - concerns: the concerns besides the bridge not serving.
    ///   - trouble: the reason why it does not; nil if it does.
    ///   - figures: since the start.
    ///   - now: by the steady clock.
    mutating func look(
        _ concerns: @autoclosure () -> [Concern], trouble: Concern?,
        _ figures: () -> DailyFigures, at now: Duration
    ) {
        if let lookedAt, now - lookedAt < OperatorWatch.pace { return }
        lookedAt = now
        let all = concerns() + [trouble].compactMap(\.self)
        let found = news.look(at: Set(all), now)
        if !found.isEmpty { notifier.tell(found, on: host) }
        let time = Timestamp.now
        if daily?.isDue(at: time, offset: OperatorWatch.offset(at: time)) == true {
            var figures = figures()
            (figures.fixes, figures.calls) = (
                figures.fixes - told.fixes, figures.calls - told.calls
            )
            told.fixes += figures.fixes
            told.calls += figures.calls
            notifier.tellDaily(all, figures, on: host)
        }
        guard trouble == nil, beatenAt.map({ now - $0 >= OperatorWatch.heartbeat }) ?? true else {
            return
        }
        beatenAt = now
        notifier.beat()
    }

    private static func offset(at time: Timestamp) -> Int {
        TimeZone.current.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }
}
