import Foundation
import Racing
import Testing
import Tracking

/// A person who runs a course is ranked, whatever its form and whatever their phone omits.
struct HonestRunnerProperties {
    private struct Trial {
        var random: SplitMix64

        mutating func number(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }

        mutating func one<Value>(of values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }

        /// A loop, a line that crosses itself, out and back, or an eight.
        mutating func course() throws -> Course? {
            let kind = Int(number(0...3.99))
            let radius = number(120...800)
            var corners: [(Double, Double)] = []
            switch kind {
            case 0:
                let count = Int(number(5...13))
                for index in 0..<count {
                    let angle = Double(index) / Double(count) * 2 * .pi
                    let distance = radius * number(0.6...1.2)
                    corners.append((distance * cos(angle), distance * sin(angle)))
                }
                corners.append(corners[0])
            case 1:
                for _ in 0...Int(number(4...12)) {
                    corners.append((number(-radius...radius), number(-radius...radius)))
                }
            case 2:
                var (east, north) = (0.0, 0.0)
                for _ in 0...Int(number(2...7)) {
                    corners.append((east, north))
                    (east, north) = (east + number(50...200), north + number(-100...100))
                }
                corners += corners.dropLast().reversed()
            default:
                for part in 0...40 {
                    let angle = Double(part) / 20 * .pi
                    corners.append((radius * sin(angle), radius * sin(2 * angle) / 2))
                }
            }
            let isLoop = kind == 0 || kind == 3
            let course = try Course(
                corners.map { Street.place($0.0, $0.1) }, laps: isLoop ? Int(number(1...4.99)) : 1)
            return course.lapLength > 250 ? course : nil
        }
    }

    @Test(arguments: 0..<20)
    func `A runner with gaps and errors finishes any form of course, missing nothing`(part: Int)
        throws
    {
        for number in 0..<15 {
            let seed = UInt64(part * 100 + number)
            var trial = Trial(random: SplitMix64(seed: seed))
            guard let course = try trial.course() else { continue }
            let speed = trial.number(2...5.5)
            let (noise, step) = (trial.one(of: [0.0, 3, 6, 10]), trial.one(of: [1.0, 3, 5, 10]))
            let end = course.length / speed
            let gaps = (0..<Int(trial.number(0...2.99))).map { _ -> ClosedRange<Double> in
                let from = trial.number(20...max(21, end - 60))
                return from...(from + min(trial.number(5...40), course.lapLength / speed / 2.2))
            }
            let standing = (1...12).map { count in
                Street.fix(course.point(at: course.length), end + 10 + Double(count) * step)
            }
            let fixes =
                (Street.run(course, speed: speed, noise: noise, seed: seed, every: step)
                + standing)
                .filter { fix in
                    !gaps.contains { $0.contains(Street.seconds(fix.takenAt) ?? 0) }
                }
            var before = 0.0
            let runner = Street.follow(fixes, on: course) { runner, _ in
                #expect(runner.distance >= before, "seed \(seed)")
                before = runner.distance
            }
            #expect(runner.hasFinished && runner.missed.isEmpty, "seed \(seed)")
            let late = (Street.seconds(runner.finishedAt) ?? .infinity) - end
            #expect(abs(late) < 12 + step + noise, "seed \(seed): \(late) s")
        }
    }
}
