import Testing

@testable import Tracking

struct UsageTests {
    /// Noon in UTC.
    private let noon = Timestamp(milliseconds: 1_777_636_800_000)

    private func usedUp(_ kind: Usage.Kind) -> Usage {
        var usage = Usage()
        for _ in 0..<kind.quota.rows { _ = usage.note(kind, at: noon) }
        return usage
    }

    @Test(arguments: Usage.Kind.allCases)
    func `The quota is reached once, and only its own kind is slowed down`(_ kind: Usage.Kind) {
        var usage = Usage()
        var reached = 0
        for _ in 0..<(kind.quota.rows + 5) where usage.note(kind, at: noon) { reached += 1 }
        #expect(reached == 1)
        for other in Usage.Kind.allCases {
            #expect(usage.admits(other, at: noon) == (other != kind))
        }
    }

    @Test func `Over the quota, one item is accepted after every pause`() {
        var usage = usedUp(.fixes)
        var taken = 0
        for second in 0..<100 {
            let now = noon + .seconds(second)
            guard usage.admits(.fixes, at: now) else { continue }
            _ = usage.note(.fixes, at: now)
            taken += 1
        }
        #expect(taken == 9)
    }

    @Test func `Bytes also count towards the quota`() {
        var usage = Usage()
        let reached = [(32 << 20) - 1, 1].map { usage.note(.messages, bytes: $0, at: noon) }
        #expect(reached == [false, true])
        #expect(!usage.admits(.messages, at: noon))
    }

    @Test(arguments: [
        Duration.seconds(43_200), .seconds(-43_201), .seconds(86_400 * 400),
        .seconds(-86_400 * 400), .milliseconds(-1),
    ])
    func `Another day or a clock set back locks no one out`(_ jump: Duration) {
        var usage = usedUp(.alerts)
        let now = noon + jump
        #expect(usage.admits(.alerts, at: now))
        _ = usage.note(.alerts, at: now)
        if jump != .milliseconds(-1) { #expect(usage.admits(.alerts, at: now)) }
    }

    @Test func `Midnight is in UTC`() {
        #expect(noon.nextMidnight == noon + .seconds(43_200))
        #expect(noon.nextMidnight.nextMidnight == noon + .seconds(43_200 + 86_400))
        #expect(Timestamp(milliseconds: -1).nextMidnight == Timestamp(milliseconds: 0))
    }
}
