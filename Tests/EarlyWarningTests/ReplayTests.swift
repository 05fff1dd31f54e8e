import EarlyWarning
import Foundation
import Testing
import Tracking

/// Recorded heart rates, where the machine has them.
struct ReplayTests {
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized

    /// Seconds since the beginning, and beats per minute.
    private static func rates(_ name: String) throws -> [(second: Int, rate: Double)] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        if name.hasSuffix(".csv") {
            return text.split(whereSeparator: \.isNewline).dropFirst(2).enumerated()
                .compactMap { index, line in Double(line).map { (index, $0) } }
        }
        // A point has its time before its heart rate.
        let marks = text.matches(
            of: /<[Tt]ime>([^<]+)<|<HeartRateBpm[^>]*>\s*<Value>(\d+)<|<(?:\w+:)?hr>(\d+)</)
        var (start, time) = (Timestamp?.none, Timestamp?.none)
        var rates: [(Int, Double)] = []
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".000Z"))
        for mark in marks {
            if let moment = mark.1 {
                let date = try format.parse(String(moment))
                time = Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
                start = start ?? time
            } else if let time, let start, let rate = (mark.2 ?? mark.3).flatMap({ Double($0) }) {
                rates.append((Int((time - start) / .seconds(1)), rate))
            }
        }
        return rates
    }

    /// Whether the machine has the recordings.
    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    /// Plays it to a person who answers that they are fine, or does not answer.
    private func play(
        _ rates: [(second: Int, rate: Double)], isExertion: Bool, answersAfter seconds: Int?
    ) -> (questions: [Int], calls: [Int]) {
        let limits = MonitoringLimits()
        var monitor = Monitor(at: Timestamp(milliseconds: 0))
        var (questions, calls, answer) = ([Int](), [Int](), Int?.none)
        var next = rates.startIndex
        for second in 0...(rates.last?.second ?? 0) {
            let now = Timestamp(milliseconds: Int64(second) * 1_000)
            var effects = monitor.advance(to: now, limits)
            while next < rates.endIndex, rates[next].second <= second {
                effects += monitor.receive(
                    [Reading(.pulse, rates[next].rate, at: now)],
                    exertionAt: isExertion ? now : nil, at: now, limits)
                next += 1
            }
            for effect in effects {
                switch effect {
                case .ask:
                    questions.append(second)
                    answer = seconds.map { second + $0 }
                case .call: calls.append(second)
                case .withdraw: answer = nil
                case .tellOfSilence, .tellOfEndOfSilence: break
                }
            }
            if answer == second { _ = monitor.answerFine(at: now, limits) }
        }
        return (questions, calls)
    }

    private static let exercise = [
        "run-pause-watch.tcx", "laps-standing.tcx", "run-glitch-a.gpx", "run-pause-app1.gpx",
        "regatta2023-boat1.gpx",
    ]

    @Test(.enabled(if: isThere, "needs ../shared/data"), arguments: exercise)
    func `Exercise causes no question and no call`(_ name: String) throws {
        let rates = try ReplayTests.rates(name)
        #expect(rates.count > 100)
        let (questions, calls) = play(rates, isExertion: true, answersAfter: nil)
        #expect(questions.isEmpty && calls.isEmpty, "\(questions) \(calls)")
    }

    @Test(.enabled(if: isThere, "needs ../shared/data"))
    func `An hour of stress asks once and calls only if unanswered`() throws {
        let rates = try ReplayTests.rates("vitals-s02-hr.csv")
        // Read independently: there is one stretch above 130, of more than a minute.
        let high = rates.filter { $0.rate.rounded() > 130 }.map(\.second)
        #expect(high.count == 81 && high.last.map { $0 - 80 } == high.first)
        let answered = play(rates, isExertion: false, answersAfter: 10)
        #expect(answered.questions == [high[0]] && answered.calls.isEmpty)
        let unanswered = play(rates, isExertion: false, answersAfter: nil)
        #expect(unanswered.calls == [high[0] + 30])
    }

    @Test(
        .enabled(if: isThere, "needs ../shared/data"), arguments: [300, 1_200, 3_000],
        [35.0, 20])
    func `A collapse calls after five seconds, regardless of the history`(
        at second: Int, _ rate: Double
    ) throws {
        var rates = try ReplayTests.rates("vitals-s02-hr.csv")
        for index in rates.indices where rates[index].second >= second {
            rates[index].rate = rate
        }
        let (questions, calls) = play(rates, isExertion: false, answersAfter: 10)
        #expect(questions.last == second && calls == [second + 5])
    }
}
