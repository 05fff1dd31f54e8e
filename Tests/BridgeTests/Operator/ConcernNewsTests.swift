import Contract
import Testing

@testable import Bridge

/// When an operator is notified of a concern.
struct ConcernNewsTests {
    /// Checks every second.
    private func told(_ until: Int, _ list: (Int) -> Set<Concern>) -> [(Int, ConcernNews.News)] {
        var news = ConcernNews()
        return (0...until).compactMap { second in
            let found = news.look(at: list(second), .seconds(second))
            return found.isEmpty ? nil : (second, found)
        }
    }

    @Test func `A concern is reported after lasting a minute and after being over for one`() {
        let all = told(400) { (100..<200).contains($0) ? [.mailFailing] : [] }
        #expect(all.map(\.0) == [160, 260])
        #expect(all.first?.1 == ConcernNews.News(begun: [.mailFailing]))
        #expect(all.last?.1 == ConcernNews.News(over: [.mailFailing]))
    }

    @Test func `A concern of less than a minute is not reported, however often it recurs`() {
        #expect(told(4_000) { $0 % 100 < 59 ? [.mailFailing] : [] }.isEmpty)
    }

    @Test func `A flapping concern is reported once an hour`() {
        let all = told(3_900) { $0 / 100 % 2 == 0 ? [.directoryDown] : [] }
        #expect(all.map(\.0) == [60, 160, 3_660, 3_760])
    }

    @Test func `Concerns that begin together are reported in one message`() {
        let all = told(100) { _ in [.clockBehind, .directoryDown] }
        #expect(all.map(\.0) == [60])
        #expect(all.first?.1.begun == [.clockBehind, .directoryDown])
    }

    /// A broker that hangs is replaced within the minute.
    @Test func `A broker is reported once it is away for longer than a restart takes`() {
        #expect(told(100) { (20..<29).contains($0) ? [.brokerUnreachable] : [] }.isEmpty)
        let all = told(100) { (20..<32).contains($0) ? [.brokerUnreachable] : [] }
        #expect(all.map(\.0) == [30, 42])
    }

    @Test func `A concern that outlives a short absence is not reported again`() {
        #expect(told(1_000) { $0 % 300 < 270 ? [.diskLow] : [] }.map(\.0) == [60])
    }
}
