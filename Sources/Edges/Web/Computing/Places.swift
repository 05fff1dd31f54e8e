internal import Contract
internal import HTTPTypes
internal import Synchronization

/// The maximum concurrent work of a kind, or bytes: per party, per address, and in total.
final class Places: Sendable {
    struct Maximum: Sendable {
        var party: Int
        var address: Int
        var all: Int
    }

    /// A place, taken until it is no longer referenced.
    final class Place: Sendable {
        private let places: Places
        private let party: Party
        private let address: NetworkAddress
        private let amount = Mutex(0)

        fileprivate init(_ places: Places, _ party: Party, _ address: NetworkAddress) {
            (self.places, self.party, self.address) = (places, party, address)
        }

        deinit { places.add(-amount.withLock { $0 }, party, address) }

        /// Takes this many more.
        ///
        /// - Throws: ``Refusal/busy`` if all places of one of the three are taken.
        func grow(by more: Int) throws(Refusal) {
            guard places.take(more, party, address) else { throw .busy }
            amount.withLock { $0 += more }
        }
    }

    fileprivate struct State {
        var parties: [Party: Int] = [:]
        var addresses: [NetworkAddress: Int] = [:]
        var all = 0
    }

    private let maximum: Maximum
    private let state = Mutex(State())

    init(_ maximum: Maximum) { self.maximum = maximum }

    /// - Parameter amount: 0 for a place that grows.
    /// - Throws: ``Refusal/busy`` if all places of one of the three are taken.
    func take(_ party: Party, at address: NetworkAddress, _ amount: Int = 1) throws(Refusal)
        -> Place
    {
        let place = Place(self, party, address)
        try place.grow(by: amount)
        return place
    }

    private func take(_ amount: Int, _ party: Party, _ address: NetworkAddress) -> Bool {
        state.withLock { state in
            guard state.all + amount <= maximum.all,
                state.parties[party, default: 0] + amount <= maximum.party,
                state.addresses[address, default: 0] + amount <= maximum.address
            else { return false }
            state.add(amount, party, address)
            return true
        }
    }

    private func add(_ amount: Int, _ party: Party, _ address: NetworkAddress) {
        state.withLock { $0.add(amount, party, address) }
    }
}

extension Places.State {
    fileprivate mutating func add(_ amount: Int, _ party: Party, _ address: NetworkAddress) {
        all += amount
        let (count, countThere) = (parties[party] ?? 0, addresses[address] ?? 0)
        parties[party] = count + amount > 0 ? count + amount : nil
        addresses[address] = countThere + amount > 0 ? countThere + amount : nil
    }
}

extension Refusal {
    static let busy = Refusal(
        .tooManyRequests, "Too many of these are in progress. Try again in a moment.",
        retryAfter: .seconds(5))
}
