internal import Contract
internal import HTTPTypes
internal import Synchronization

/// How many of a kind of work may be underway at once: of a party, from an address, and in all.
final class Places: Sendable {
    struct Maximum: Sendable {
        var party: Int
        var address: Int
        var all: Int
    }

    /// Taken until nobody holds it any more.
    final class Place: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        deinit { leave() }
    }

    private struct State {
        var parties: [Party: Int] = [:]
        var addresses: [NetworkAddress: Int] = [:]
        var all = 0
    }

    private let maximum: Maximum
    private let state = Mutex(State())

    init(_ maximum: Maximum) { self.maximum = maximum }

    /// - Throws: ``Refusal/busy`` where all places of one of the three are taken.
    func take(_ party: Party, at address: NetworkAddress) throws(Refusal) -> Place {
        let isFree = state.withLock { state in
            guard state.all < maximum.all, state.parties[party, default: 0] < maximum.party,
                state.addresses[address, default: 0] < maximum.address
            else { return false }
            state.all += 1
            state.parties[party, default: 0] += 1
            state.addresses[address, default: 0] += 1
            return true
        }
        guard isFree else { throw .busy }
        return Place { self.leave(party, at: address) }
    }

    private func leave(_ party: Party, at address: NetworkAddress) {
        state.withLock { state in
            state.all -= 1
            let (count, countThere) = (state.parties[party] ?? 1, state.addresses[address] ?? 1)
            state.parties[party] = count > 1 ? count - 1 : nil
            state.addresses[address] = countThere > 1 ? countThere - 1 : nil
        }
    }
}

extension Refusal {
    static let busy = Refusal(
        .tooManyRequests, "So much of this is being done already. Try again in a moment.",
        retryAfter: .seconds(5))
}
