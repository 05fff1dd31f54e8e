import Contract
import DequeModule
import Limits

/// The used parts of people's allowances. These outlive connections: reconnecting after being
/// disconnected gives no new allowance.
struct Meters {
    /// A metered party.
    enum Party: Hashable {
        case principal(Principal)
        /// All devices of a person, and what counts as one more of them.
        case person(Name)
        /// All that counts as one more device of a person, such as the person's observers.
        case asDevice(of: Name)
        /// All that counts as one more person, such as the viewers of a person's links.
        case asPerson(of: Name)
        case guests(at: NetworkAddress)
    }

    /// Returns the parties charged for a connection's actions, from its own party upwards; none if
    /// it is not metered.
    ///
    /// - Parameter payer: the device's user, or the maker of the grant.
    static func charged(for principal: Principal, _ payer: Name?, at network: NetworkAddress)
        -> [Party]
    {
        let own = Party.principal(principal)
        return switch (principal.row.charge, payer) {
        case (.nothing, _): []
        case (.address, _): [.guests(at: network)]
        case (.user, let user?): [own, .person(user)]
        case (.asDevice, let maker?): [own, .asDevice(of: maker), .person(maker)]
        case (.asPerson, let maker?): [own, .asPerson(of: maker)]
        case (.itself, _), (_, nil): [own]
        }
    }

    /// The metered amounts for devices and people. Guests only have the first.
    enum Kind: Int, CaseIterable {
        case messages, requests, connections
        /// Bytes not shown by callbacks.
        case unseen
    }

    /// The use of one party's allowances, over all its connections.
    final class Meter {
        private let allowances: [Allowance]
        private var uses: [TokenBucket]
        /// The person's meter, for a device: the device's use is also charged there, and to its own
        /// parent, if any. When the person's allowance is used up, further traffic of the device is
        /// charged at a higher rate; a device that sends little is not delayed by the others.
        fileprivate(set) var above: Meter?
        fileprivate var holders = 0
        fileprivate var isIdle = false

        /// - Parameter allowances: indexed by ``Kind``.
        fileprivate init(_ allowances: [Allowance], above: Meter?, at now: Duration) {
            self.allowances = allowances
            self.above = above
            uses = allowances.map { TokenBucket($0, at: now) }
        }

        /// - Returns: whether this much was available.
        func take(_ cost: Double, _ kind: Kind = .messages, at now: Duration) -> Bool {
            guard left(kind, at: now) >= cost else { return false }
            // The person can owe something although the device does not; then the device pays more,
            // if need be later.
            let burst = above?.allowances[kind.rawValue].burst ?? 0
            _ = spend(
                cost, kind, overdraft: cost * Meters.dearer, overdraftAbove: burst, at: now)
            return true
        }

        /// Charges the cost even if not enough is left.
        ///
        /// - Parameters:
        ///   - overdraft: the maximum that may be owed.
        ///   - overdraftAbove: the same for the person; nil if it is the same.
        /// - Returns: the rest; negative if something is owed.
        func spend(
            _ cost: Double, _ kind: Kind = .messages, overdraft: Double,
            overdraftAbove: Double? = nil, at now: Duration
        ) -> Double {
            let allowance = allowances[kind.rawValue]
            // A device that already owes something pays that back first.
            let isDearer =
                cost > 0 && left(kind, at: now) >= 0 && (above?.left(kind, at: now) ?? 0) < 0
            let own = isDearer ? cost * Meters.dearer : cost
            uses[kind.rawValue].spend(own, downTo: -overdraft, of: allowance, at: now)
            _ = above?.spend(cost, kind, overdraft: overdraftAbove ?? overdraft, at: now)
            return left(kind, at: now)
        }

        /// The meter at the top of the chain.
        var topmost: Meter { above?.topmost ?? self }

        func left(_ kind: Kind = .messages, at now: Duration) -> Double {
            uses[kind.rawValue].left(of: allowances[kind.rawValue], at: now)
        }

        fileprivate func isUntouched(at now: Duration) -> Bool {
            uses.indices.allSatisfy { uses[$0].isFull(allowances[$0], at: now) }
        }
    }

    private var meters: [Party: Meter] = [:]
    /// Parties without a connection, without duplicates.
    private var idle: Deque<Party> = []

    /// The rate for a device whose person has used up their allowance, so that many devices
    /// together can do no more than the person may.
    private static let dearer = 16.0

    /// The number of idle parties examined per tick.
    private static let glances = 100

    var count: Int { meters.count }

    /// Adds a connection to the party's meter.
    mutating func hold(
        _ party: Party, _ allowances: [Allowance], above: Meter? = nil, at now: Duration
    ) -> Meter {
        let meter = meters[party] ?? Meter(allowances, above: above, at: now)
        meters[party] = meter
        // The person's meter may have been forgotten and replaced since.
        meter.above = above
        meter.holders += 1
        return meter
    }

    /// The number of the party's connections.
    func holders(of party: Party) -> Int { meters[party]?.holders ?? 0 }

    /// Removes a connection.
    mutating func release(_ party: Party) {
        guard let meter = meters[party] else { return }
        meter.holders -= 1
        guard meter.holders == 0, !meter.isIdle else { return }
        meter.isIdle = true
        idle.append(party)
    }

    /// Forgets idle parties whose allowance is full again.
    mutating func forgetIdle(at now: Duration) {
        for _ in 0..<min(idle.count, Meters.glances) {
            let party = idle.removeFirst()
            guard let meter = meters[party] else { continue }
            if meter.holders > 0 {
                meter.isIdle = false
            } else if meter.isUntouched(at: now) {
                meters[party] = nil
            } else {
                idle.append(party)
            }
        }
    }
}
