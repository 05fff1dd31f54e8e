import Contract
import DequeModule

/// How much of their allowances people have used. It outlives their connections: to be cut off
/// and to come again gives nobody a new one.
struct Meters {
    /// Who is measured: a device, all devices of a person, or all guests of an address.
    enum Party: Hashable {
        case principal(Principal)
        case person(Name)
        case guests(at: NetworkAddress)
    }

    /// What is counted of a device, and of a person. Guests have the first alone.
    enum Kind: Int, CaseIterable {
        case messages, requests, connections
        /// Bytes that no callback shows.
        case unseen
    }

    /// One party's, for all its connections.
    final class Meter {
        private let allowances: [Allowance]
        private var uses: [Allowance.Use]
        /// The person's, for a device: what it uses counts there as well. When that is used up, what
        /// the device goes on to send costs it more; one that sends little is not kept waiting by
        /// the others.
        let above: Meter?
        fileprivate var holders = 0
        fileprivate var isIdle = false

        /// - Parameter allowances: by ``Kind``.
        fileprivate init(_ allowances: [Allowance], above: Meter?, at now: Duration) {
            self.allowances = allowances
            self.above = above
            uses = allowances.map { Allowance.Use($0, at: now) }
        }

        /// - Returns: whether so much was left.
        func take(_ cost: Double, _ kind: Kind = .messages, at now: Duration) -> Bool {
            guard left(kind, at: now) >= cost else { return false }
            _ = spend(cost, kind, overdraft: 0, at: now)
            return true
        }

        /// Takes it whether it is there or not.
        ///
        /// - Parameter overdraft: so much may be owed.
        /// - Returns: what is left; negative for what is owed.
        func spend(
            _ cost: Double, _ kind: Kind = .messages, overdraft: Double, at now: Duration
        ) -> Double {
            let allowance = allowances[kind.rawValue]
            // One that owes already pays that back first.
            let isDearer =
                cost > 0 && left(kind, at: now) >= 0 && (above?.left(kind, at: now) ?? 0) < 0
            let own = isDearer ? cost * Meters.dearer : cost
            uses[kind.rawValue].spend(own, downTo: -overdraft, of: allowance, at: now)
            _ = above?.spend(cost, kind, overdraft: overdraft, at: now)
            return left(kind, at: now)
        }

        func left(_ kind: Kind = .messages, at now: Duration) -> Double {
            uses[kind.rawValue].left(of: allowances[kind.rawValue], at: now)
        }

        fileprivate func isUntouched(at now: Duration) -> Bool {
            uses.indices.allSatisfy { uses[$0].isUntouched(allowances[$0], at: now) }
        }
    }

    private var meters: [Party: Meter] = [:]
    /// Those without a connection, each once.
    private var idle: Deque<Party> = []

    /// What a message costs a device whose person has used up theirs: so many devices together do
    /// no more than they may.
    private static let dearer = 16.0

    /// Idle ones looked at with each tick.
    private static let glances = 100

    var count: Int { meters.count }

    /// For one more connection.
    mutating func hold(
        _ party: Party, _ allowances: [Allowance], above: Meter? = nil, at now: Duration
    ) -> Meter {
        let meter = meters[party] ?? Meter(allowances, above: above, at: now)
        meters[party] = meter
        meter.holders += 1
        return meter
    }

    /// One connection less.
    mutating func release(_ party: Party) {
        guard let meter = meters[party] else { return }
        meter.holders -= 1
        guard meter.holders == 0, !meter.isIdle else { return }
        meter.isIdle = true
        idle.append(party)
    }

    /// Forgets those who have got everything back meanwhile.
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
