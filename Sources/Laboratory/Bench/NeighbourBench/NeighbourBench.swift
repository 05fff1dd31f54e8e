internal import MQTT
internal import Numbers
internal import Synchronization

/// Measures what some people's nuisances cost others: how long ordinary fixes take to become
/// states, and how long a stranger's call for help takes to reach its group, while nothing else
/// happens and beside each nuisance.
public struct NeighbourBench: Sendable {
    let settings: NeighbourSettings

    public init(_ settings: NeighbourSettings) { self.settings = settings }

    private static let nuisances: [any NoisyNeighbour] =
        [
            DueTimers(), StalledReaders(), Flood(), ConnectionStorm(), LargeGroup(),
            GroupWatchers(way: .mqtt),
            GroupWatchers(way: .page), LazyReaders(way: .page), FilterFlood(),
        ] + OnePerson.all + [
            AbandonedSessions(), LazyReaders(way: .mqtt), StrayAcknowledgements(), DeepReply(),
            LargeCorrelation(),
            ReturningPhone(), CohortQuestions(),
        ] + ManyDevices.all + [
            Uploads(), GuestFlood(errand: .entering), GuestFlood(errand: .reading),
        ]

    /// - Parameter say: called with each line of the report as soon as it is known.
    public func run(_ say: @escaping @Sendable (String) -> Void) async throws {
        raiseFileLimit()
        say(
            "\(Int(clamping: Ordinary.rate)) fixes a second of \(Ordinary.phoneCount) people in groups of "
                + "\(Ordinary.groupSize), and \(SOSCallers.rate) calls for help a second of others, "
                + "half of them through the page, "
                + "each situation for \(settings.seconds) s; what has not come \(settings.patience)"
                + " s later never comes.")
        say(NeighbourResult.heading)
        let quiet = try await measure(nil)
        say(quiet.lines("nothing", beside: quiet))
        for (index, nuisance) in NeighbourBench.nuisances.enumerated() {
            let name = nuisance.name(settings)
            guard settings.includes(name, index + 1) else { continue }
            do {
                let situation = try await measure(nuisance)
                say(situation.lines("\(index + 1) \(name)", beside: quiet))
            } catch {
                say("\(index + 1) \(name): \(error)")
            }
        }
        say(try await measure(nil).lines("nothing, again", beside: quiet))
    }

    private func measure(_ nuisance: (any NoisyNeighbour)?) async throws -> NeighbourResult {
        let outcome = Mutex<NeighbourResult?>(nil)
        let settings = settings
        try await BenchInstallation(settings: settings, nuisance: nuisance).live { site in
            let situation = try NeighbourBench.measure(nuisance, in: site)
            outcome.withLock { $0 = situation }
        }
        guard let situation = outcome.withLock({ $0 }) else {
            preconditionFailure("the body has run, or thrown")
        }
        return situation
    }

    private static func measure(_ nuisance: (any NoisyNeighbour)?, in site: BenchSite) throws
        -> NeighbourResult
    {
        try site.awaitPage()
        let ordinary = try Ordinary(site)
        try ordinary.settle()
        let atRest = Resources(site)
        let thread = try nuisance.map { try NuisanceThread($0, in: site) }
        let before = Resources(site)
        var after = before
        let walk = try ordinary.walk(for: .seconds(site.settings.seconds)) {
            after = Resources(site)
            thread?.stop()
        }
        return NeighbourResult(
            walk: walk, atRest: atRest, before: before, after: after,
            remark: try thread?.end() ?? "")
    }
}
