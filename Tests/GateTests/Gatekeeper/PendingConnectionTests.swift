import Contract
import Testing

@testable import Gate

/// Connections without a CONNECT.
struct PendingConnectionTests {
    private func newcomer(_ number: UInt, _ address: String = "10.0.0.1", received: Int = 0)
        -> PendingConnections.Entry
    {
        .init(number: number, address: NetworkAddress(address), received: received)
    }

    @Test func `A long silent connection is ended, but not the next one in its place`() {
        var pending = PendingConnections()
        #expect(pending.look(at: [newcomer(1)], .seconds(0)) == [])
        #expect(pending.look(at: [newcomer(1), newcomer(2)], .seconds(19)) == [])
        #expect(pending.look(at: [newcomer(1), newcomer(2)], .seconds(20)) == [1])
        #expect(pending.look(at: [newcomer(2)], .seconds(21)) == [])
        #expect(pending.look(at: [], .seconds(22)) == [])
        #expect(pending.look(at: [newcomer(2)], .seconds(60)) == [])
    }

    @Test func `A connection sending more than a login needs is ended immediately`() {
        var pending = PendingConnections()
        let all = [newcomer(1, received: 32_768), newcomer(2, received: 32_769)]
        #expect(pending.look(at: all, .seconds(0)) == [2])
    }

    @Test func `An address keeps its earliest connections, and this machine has no bound`() {
        var pending = PendingConnections()
        pending.limits.ofAddress = 2
        let first = [newcomer(8), newcomer(9)]
        #expect(pending.look(at: first, .seconds(0)) == [])
        let more = [newcomer(1), newcomer(2, "10.0.0.2"), newcomer(3, "2001:db8:0:1::1")] + first
        #expect(pending.look(at: more, .seconds(1)) == [1])
        let half = (4...6).map { newcomer($0, "2001:db8:0:1::\($0)") }
        #expect(pending.look(at: half, .seconds(1)).count == 1)
        pending.limits.proxies = [NetworkAddress("10.0.0.7")]
        let behind = (1...9).map { newcomer($0, "10.0.0.7") }
        #expect(pending.look(at: behind, .seconds(1)) == [])
        let page = (1...9).map { newcomer($0, "127.0.0.1") }
        #expect(pending.look(at: page, .seconds(2)) == [])
    }
}
