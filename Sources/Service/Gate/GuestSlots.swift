internal import Contract

/// The slots for guests, and their occupants: mere presence must not keep others out.
struct GuestSlots {
    /// When each guest was last active.
    private var heard: [NetworkAddress: [Gatekeeper.Client: Duration]] = [:]
    /// The number of guests that are not from this machine.
    private var strangers = 0
    private(set) var count = 0

    enum Slot: Hashable {
        case free
        /// Free if that client leaves.
        case insteadOf(Gatekeeper.Client)
        case none
    }

    mutating func enter(
        _ client: Gatekeeper.Client, at network: NetworkAddress, _ now: Duration
    ) {
        guard heard[network, default: [:]].updateValue(now, forKey: client) == nil else { return }
        count += 1
        if !network.isThisMachine { strangers += 1 }
    }

    /// Records that the guest was active.
    mutating func note(
        _ client: Gatekeeper.Client, at network: NetworkAddress, _ now: Duration
    ) {
        if heard[network]?[client] != nil { heard[network]?[client] = now }
    }

    /// May be called more than once for a guest.
    mutating func leave(_ client: Gatekeeper.Client, at network: NetworkAddress) {
        guard heard[network]?.removeValue(forKey: client) != nil else { return }
        count -= 1
        if !network.isThisMachine { strangers -= 1 }
        if heard[network]?.isEmpty == true { heard[network] = nil }
    }

    /// Returns a slot for one more guest from this address. If slots are scarce, the guest that has
    /// been silent the longest is removed, if it has been silent long enough; otherwise a guest
    /// from the address with the most slots is removed, if the newcomer's address has fewer.
    func slot(
        at network: NetworkAddress, _ limits: GateSettings.Limits, at now: Duration
    ) -> Slot {
        let neighbours = heard[network] ?? [:]
        if neighbours.count >= limits.guestsOfAddress {
            return instead(of: [neighbours], silentFor: limits.patienceWithGuests, at: now)
        }
        // The page makes its visitors' requests from there.
        if network.isThisMachine || strangers < limits.guests { return .free }
        let others = heard.filter { !$0.key.isThisMachine }.values
        let slot = instead(of: others, silentFor: limits.patienceWithGuests, at: now)
        guard slot == .none, let most = others.max(by: { $0.count < $1.count }),
            most.count > neighbours.count + 1
        else { return slot }
        return instead(of: [most], silentFor: .zero, at: now)
    }

    private func instead(
        of guests: some Sequence<[Gatekeeper.Client: Duration]>, silentFor patience: Duration,
        at now: Duration
    ) -> Slot {
        var longest: (client: Gatekeeper.Client, heard: Duration)?
        for (client, heard) in guests.joined() where longest.map({ heard < $0.heard }) ?? true {
            longest = (client, heard)
        }
        guard let longest, now - longest.heard >= patience else { return .none }
        return .insteadOf(longest.client)
    }
}
