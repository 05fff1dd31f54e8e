internal import Clocks
internal import Contract
internal import Glibc
internal import Store
internal import Tracking

/// Journeys that all become overdue in the same second.
struct DueTimers: NoisyNeighbour {
    /// The time from the creation of the database until the timers are due.
    private static let preparation = Duration.seconds(15)

    func name(_ settings: NeighbourSettings) -> String { "\(settings.timers) timers due at once" }

    func populate(_ population: inout Population) throws {
        try population.add(
            (0..<population.settings.timers).map { "traveller\($0)" },
            groupSize: Ordinary.groupSize, eta: population.now + DueTimers.preparation)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        // Waits until shortly before.
        let eta = site.since + DueTimers.preparation
        while Timestamp.now < eta - .milliseconds(500) { usleep(10_000) }
        return { isOn in
            while isOn() { usleep(10_000) }
            return ""
        }
    }
}
