import Testing

@testable import Bridge

/// How much a step of the sweep deletes.
struct SweepPaceTests {
    /// The rows of the steps that follow each other on a machine that takes so long for each row.
    private func rows(_ perRow: Duration, steps: Int = 60) -> [Int] {
        var pace = SweepPace()
        return (0..<steps).map { _ in
            let rows = pace.rows
            pace.note(perRow * rows)
            return rows
        }
    }

    @Test func `A fast machine deletes the maximum per step`() {
        #expect(rows(.nanoseconds(100)).last == SweepPace.most)
    }

    @Test func `A slow machine's steps stay within the time limit, except the first`() {
        let rows = rows(.microseconds(40))
        #expect(rows.dropFirst().allSatisfy { $0 <= 125 * 5 / 4 })
        #expect((rows.last ?? 0) >= 125 * 4 / 5)
    }

    @Test func `A very slow machine still deletes the minimum per step`() {
        #expect(rows(.milliseconds(10)).last == SweepPace.least)
    }

    /// 1,000 fixes a second come in, a step is due every 50 ms, and two thirds of the bridge's time
    /// are for others.
    @Test func `A machine that deletes a row in 40 µs keeps up with 1,000 fixes a second`() {
        let rows = Double(rows(.microseconds(40)).last ?? 0)
        let seconds = (SweepPace.longest + SweepPace.pause) / .seconds(1)
        #expect(rows / seconds > 1_000)
    }
}
