import Foundation

/// How often the bridge, the broker, and both are killed.
enum Endurance {
    /// `KITH_ROUNDS`, or 5.
    static let rounds =
        ProcessInfo.processInfo.environment["KITH_ROUNDS"].flatMap { Int($0) } ?? 5
    static let minutes = max(3, rounds * 2)
}
