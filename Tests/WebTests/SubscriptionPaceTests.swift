import Contract
import Limits
import Testing

@testable import Web

/// What spectators' one connection subscribes to next.
struct SubscriptionPaceTests {
    private var limits: WebSettings.Limits {
        var limits = WebSettings.Limits()
        limits.subscriptions = Allowance(burst: 4, perSecond: 1)
        return limits
    }

    private func began() -> SubscriptionPace {
        var pace = SubscriptionPace()
        pace.begin(limits, at: .zero)
        return pace
    }

    @Test func `Many filters of one address do not delay another address's`() {
        var pace = began()
        for number in 1...100 { pace.add("a\(number)", from: NetworkAddress("192.0.2.1")) }
        pace.add("b", from: NetworkAddress("198.51.100.1"))
        pace.add("again", from: nil)
        let next = (1...5).map { _ in pace.next(limits, at: .zero) { _ in true } }
        #expect(next == ["a1", "b", "again", "a2", nil])
        let later = pace.next(limits, at: .seconds(1)) { _ in true }
        #expect(later == "a3")
    }

    @Test func `Filters without readers take no turn`() {
        var pace = began()
        for number in 1...100 { pace.add("a\(number)", from: NetworkAddress("192.0.2.1")) }
        let found = pace.next(limits, at: .zero) { $0 == "a99" }
        let none = pace.next(limits, at: .zero) { _ in false }
        #expect(found == "a99" && none == nil)
        pace.add("b", from: nil)
        let rest = (1...4).map { _ in pace.next(limits, at: .zero) { _ in true } }
        #expect(rest == ["b", nil, nil, nil])
    }
}
