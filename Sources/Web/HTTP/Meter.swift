internal import Contract
internal import Synchronization

/// How much of an allowance each key has used. Keys whose allowance is full again are forgotten.
final class Meter<Key: Hashable & Sendable>: Sendable {
    private let allowance: Allowance
    private let start = ContinuousClock.now
    private let uses = Mutex<[Key: Allowance.Use]>([:])

    init(_ allowance: Allowance) { self.allowance = allowance }

    /// - Returns: whether enough of the allowance was left.
    func take(_ key: Key, _ cost: Double = 1) -> Bool {
        let now = ContinuousClock.now - start
        return uses.withLock { uses in
            if uses.count >= Meter.maximum, uses[key] == nil {
                for (other, var use) in uses where use.isUntouched(allowance, at: now) {
                    uses[other] = nil
                }
                // If the table is still full, all entries are forgotten.
                if uses.count >= Meter.maximum { uses = [:] }
            }
            return uses[key, default: .init(allowance, at: now)].take(
                cost, of: allowance, at: now)
        }
    }

    private static var maximum: Int { 20_000 }
}
