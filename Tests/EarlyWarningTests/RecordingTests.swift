import Archive
import EarlyWarning
import Foundation
import Testing
import Tracking

/// All recordings with a pulse, of healthy people, as a stock watch sends them: without `activity`.
/// Each is played unchanged, where any question or call is a false alarm, and then with a collapse
/// at ten moments, where the lack of a call within a minute and a half is a miss.
struct RecordingTests {
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../../shared/data").standardized

    private static let names = [
        "vitals-s02-hr.csv", "ride-1hz-hr-a.gpx", "run-glitch-a.gpx", "run-pause-app1.gpx",
        "run-pause-watch.tcx", "laps-standing.tcx", "hills-hr.tcx", "regatta2023-boat1.gpx",
        "regatta2023-boat2.gpx", "regatta2023-boat3.gpx",
    ]

    private struct Point {
        let second: Int
        var rate: Double?
        let place: Coordinate?
    }

    private static func points(_ name: String) throws -> [Point] {
        let file = folder.appending(path: name).path()
        let isPacked = !FileManager.default.fileExists(atPath: file)
        let path = isPacked ? file + ".gz" : file
        let text = try isPacked ? unpacked(path) : String(contentsOfFile: path, encoding: .utf8)
        if name.hasSuffix(".csv") {
            return text.split(whereSeparator: \.isNewline).dropFirst(2).enumerated().compactMap {
                index, line in
                Double(line).map { Point(second: index, rate: $0, place: nil) }
            }
        }
        var (points, start) = ([Point](), Date?.none)
        for part in text.split(separator: name.hasSuffix(".gpx") ? "<trkpt" : "<Trackpoint>")
            .dropFirst()
        {
            let part = String(part)
            guard let time = part.firstMatch(of: /<[Tt]ime>([0-9T:-]+)/),
                let date = try? Date("\(time.1)Z", strategy: .iso8601)
            else { continue }
            start = start ?? date
            let rate = part.firstMatch(
                of: /<HeartRateBpm[^>]*>\s*<Value>(\d+)<|<(?:\w+:)?hr>(\d+)</)
            let latitude = part.firstMatch(of: /lat="([-0-9.]+)"|<LatitudeDegrees>([-0-9.]+)</)
            let longitude = part.firstMatch(of: /lon="([-0-9.]+)"|<LongitudeDegrees>([-0-9.]+)</)
            let numbers = [latitude, longitude].map { $0.flatMap { Double($0.1 ?? $0.2 ?? "") } }
            var place: Coordinate?
            if let latitude = numbers[0], let longitude = numbers[1] {
                place = Coordinate(latitude: latitude, longitude: longitude)
            }
            points.append(
                Point(
                    second: Int(date.timeIntervalSince(start ?? date)),
                    rate: rate.flatMap { Double($0.1 ?? $0.2 ?? "") }, place: place))
        }
        return points.sorted { $0.second < $1.second }
    }

    private static func unpacked(_ path: String) throws -> String {
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let files = try ArchiveReader.files(in: bytes, atMost: 100 << 20)
        return String(decoding: files.first?.bytes ?? [], as: UTF8.self)
    }

    private enum Rules: String, CaseIterable {
        /// Confirmed by readings, however long they take; positions are ignored.
        case before
        case now

        var limits: MonitoringLimits {
            var limits = MonitoringLimits()
            if self == .before { (limits.confirmAfter, limits.scoreFor) = (.seconds(1), .zero) }
            return limits
        }
    }

    /// - Parameter end: until when the person answers, ten seconds after a question, that they are
    ///   fine.
    private func play(_ points: [Point], _ rules: Rules, answersUntil end: Int) -> (
        questions: [Int], calls: [Int]
    ) {
        let limits = rules.limits
        var (monitor, movement) = (Monitor(at: Timestamp(milliseconds: 0)), Movement())
        var (questions, calls, answer) = ([Int](), [Int](), Int?.none)
        var next = points.startIndex
        for second in 0...(points.last?.second ?? 0) {
            let now = Timestamp(milliseconds: Int64(second) * 1_000)
            var effects = monitor.advance(to: now, limits)
            while next < points.endIndex, points[next].second <= second {
                if let place = points[next].place, rules == .now,
                    movement.move(to: place, at: now)
                {
                    monitor.noteExertion(at: now)
                }
                if let rate = points[next].rate {
                    effects += monitor.receive(
                        [Reading(.pulse, rate, at: now)], exertionAt: nil, at: now, limits)
                }
                next += 1
            }
            for effect in effects {
                switch effect {
                case .ask:
                    questions.append(second)
                    answer = second + 10 < end ? second + 10 : nil
                case .call:
                    calls.append(second)
                    _ = monitor.reactivate(at: now, limits)
                case .withdraw: answer = nil
                case .tellOfSilence, .tellOfEndOfSilence: break
                }
            }
            if answer == second { _ = monitor.answerFine(at: now, limits) }
        }
        return (questions, calls)
    }

    /// The recording if its person collapses at a moment: the heart rate, and no movement.
    private func collapse(_ points: [Point], at second: Int, to rate: Double) -> [Point] {
        let last = points.last { $0.second <= second }?.place
        return points.filter { $0.second < second }
            + (0..<180).map { Point(second: second + $0, rate: rate, place: last) }
    }

    private static let collapses = [20.0, 35, 230]
    /// Ten moments of each recording, from its first tenth on.
    private static let moments = 10
    private static let patience = 90

    @Test(.enabled(if: ReplayTests.isThere, "needs ../shared/data"), arguments: names)
    func `Recordings without activity cause no false call and no missed collapse`(_ name: String)
        throws
    {
        let points = try RecordingTests.points(name)
        let hours = Double(points.last?.second ?? 0) / 3_600
        try #require(points.count { $0.rate != nil } > 100)
        var line = "\(name), \((hours * 10).rounded() / 10) h:"
        var misses = ""
        for rules in Rules.allCases {
            let well = play(points, rules, answersUntil: .max)
            let silent = play(points, rules, answersUntil: 0)
            var (missed, tried) = (0, 0)
            for rate in RecordingTests.collapses {
                for moment in 1...RecordingTests.moments {
                    let at = (points.last?.second ?? 0) * moment / (RecordingTests.moments + 1)
                    let calls = play(collapse(points, at: at, to: rate), rules, answersUntil: at)
                        .calls
                    tried += 1
                    if !calls.contains(where: { (at...(at + RecordingTests.patience)).contains($0) }
                    ) {
                        missed += 1
                        misses += " \(rules)/\(Int(rate))@\(at)"
                    }
                }
            }
            line +=
                " \(rules): \(well.questions.count) asked, \(well.calls.count) called if answered, "
            line += "\(silent.calls.count) called if not, \(missed) of \(tried) missed;"
            guard rules == .now else { continue }
            #expect(well.calls.isEmpty, "\(line)")
            #expect(missed == 0, "\(line)")
        }
        print(line + misses)
    }
}
