import Contract
import DequeModule

/// How much of their allowances people have used. It outlives their connections: to be cut off
/// and to come again gives nobody a new one.
struct Meters {
    /// Who is measured: a device, or all guests of an address.
    enum Party: Hashable {
        case principal(Principal)
        case guests(at: NetworkAddress)
    }

    /// One party's, for all its connections.
    final class Meter {
        let allowance: Allowance
        fileprivate var use: Allowance.Use
        fileprivate var holders = 0
        fileprivate var isIdle = false

        fileprivate init(_ allowance: Allowance, at now: Duration) {
            self.allowance = allowance
            use = Allowance.Use(allowance, at: now)
        }

        /// - Returns: whether so much was left.
        func take(_ cost: Double, at now: Duration) -> Bool {
            use.take(cost, of: allowance, at: now)
        }

        func has(_ cost: Double, at now: Duration) -> Bool {
            use.has(cost, of: allowance, at: now)
        }
    }

    private var meters: [Party: Meter] = [:]
    /// Those without a connection, each once.
    private var idle: Deque<Party> = []

    /// Idle ones looked at with each tick.
    private static let glances = 100

    var count: Int { meters.count }

    /// For one more connection.
    mutating func hold(_ party: Party, _ allowance: Allowance, at now: Duration) -> Meter {
        let meter = meters[party] ?? Meter(allowance, at: now)
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
            } else if meter.use.isUntouched(meter.allowance, at: now) {
                meters[party] = nil
            } else {
                idle.append(party)
            }
        }
    }
}
