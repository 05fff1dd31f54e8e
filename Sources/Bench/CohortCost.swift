internal import Anonymity
internal import Bridge
internal import Clocks
internal import Contract
internal import Foundation
internal import Limits
internal import MQTT
internal import Sealing
internal import Store
internal import Synchronization
internal import Tracking

/// How long a question about many people and days takes, and what that does to the fixes that come
/// meanwhile.
public struct CohortCost {
    private let people: Int
    private let days: Int
    private let rate: Int
    private let seconds: Int

    private static let company = "acme"
    private static let service = "myheart"
    /// With and without questions in turn, so that both meet the same machine.
    private static let rounds = 4
    private static let tick = Duration.milliseconds(10)

    public init(people: Int, days: Int, rate: Int, seconds: Int) {
        (self.people, self.days, self.rate, self.seconds) = (people, days, rate, seconds)
    }

    /// - Returns: the report.
    public func measure() throws -> String {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "kith-bench-cohorts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "kith.db").path
        let (now, town) = (Timestamp.now, CohortTown(people: people, days: days))
        let store = try Store.open(path, at: now)
        try store.transaction { transaction throws(StoreError) in
            _ = try town.populate(transaction, now, company: Self.company, service: Self.service)
        }
        var settings = BridgeSettings()
        settings.sealingKeys = town.keys
        settings.fairness.allowance.burst = .infinity
        let engine = try Engine(store, settings)
        let work = try question(engine, now, town)
        let questions = Questions(work, path)
        var (quiet, busy) = ([Duration](), [Duration]())
        for _ in 0..<Self.rounds {
            quiet += try takeFixes(engine)
            questions.start()
            busy += try takeFixes(engine)
            questions.stop()
        }
        let ratio = busy.percentile(99) / quiet.percentile(99)
        return """
            \(people) people, \(days) days, \(rate) fixes/s, \(questions.times.count) questions.
            A question: \(questions.times.line), answered \(questions.answered) times
            Fixes without questions: \(quiet.line)
            Fixes meanwhile:         \(busy.line), p99 \((ratio * 100).rounded() / 100) times as long
            """
    }

    /// The counting that a question about all people and days asks for.
    private func question(_ engine: Engine, _ now: Timestamp, _ town: CohortTown) throws
        -> CohortWork
    {
        let window =
            #"{"from":\#(town.window.lowerBound * 3_600_000),"to":\#(town.window.upperBound * 3_600_000)}"#
        _ = try engine.take(
            [
                Message(
                    topic: "kith/services/\(Self.service)/requests/cohort.query",
                    payload: Array(window.utf8))
            ], at: now)
        guard let work = engine.takeCohortWork().first else {
            throw CocoaError(.featureUnsupported)
        }
        return work
    }

    /// Takes fixes at the rate, as many turns as there are ticks.
    ///
    /// - Returns: for each turn, how long its fixes took from when they were due.
    private func takeFixes(_ engine: Engine) throws -> [Duration] {
        var times: [Duration] = []
        let each = max(rate / 100, 1)
        var (user, due) = (0, ContinuousClock.now)
        for _ in 0..<(seconds * 100 / Self.rounds) {
            due += Self.tick
            let pause = due - .now
            if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
            let now = Timestamp.now
            var messages: [Message] = []
            for _ in 0..<each {
                user = user % people + 1
                let fix =
                    #"{"latitude":\#(46 + Double(user) / 1e6),"longitude":14.5,"timestamp":\#(now.milliseconds)}"#
                messages.append(
                    Message(
                        topic: "kith/users/\(Stage.user(user))/devices/\(Stage.device)/fix",
                        payload: Array(fix.utf8)))
            }
            _ = try engine.take(messages, at: now)
            times.append(.now - due)
        }
        return times
    }
}

/// Asks again and again, on a thread and a connection of its own.
private final class Questions: Sendable {
    private struct State {
        var times: [Duration] = []
        var answered = 0
        var isRunning = false
    }

    private let work: CohortWork
    private let path: String
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ work: CohortWork, _ path: String) { (self.work, self.path) = (work, path) }

    var times: [Duration] { state.withLock { $0.times } }
    var answered: Int { state.withLock { $0.answered } }

    func start() {
        state.withLock { $0.isRunning = true }
        Thread { [self] in
            giveWay()
            var random = SystemRandomNumberGenerator()
            while state.withLock({ $0.isRunning }) {
                let start = ContinuousClock.now
                guard let store = try? Store.openReadOnly(path) else { break }
                let outcomes = work.perform(on: store, using: &random)
                let time = ContinuousClock.now - start
                let isAnswered = outcomes.contains { $0.isAnswer }
                state.withLock { state in
                    state.times.append(time)
                    if isAnswered { state.answered += 1 }
                }
            }
            ended.signal()
        }.start()
    }

    func stop() {
        state.withLock { $0.isRunning = false }
        ended.wait()
    }
}

extension [Duration] {
    fileprivate func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[Swift.min(count * percent / 100, count - 1)].seconds * 1_000
    }

    fileprivate var line: String {
        func rounded(_ percent: Int) -> Double { (percentile(percent) * 100).rounded() / 100 }
        return "p50 \(rounded(50)) ms, p99 \(rounded(99)) ms"
    }
}
