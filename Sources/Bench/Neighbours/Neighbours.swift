internal import MQTT
internal import Synchronization

/// Measures what some people's trouble costs others: how long ordinary fixes take to become
/// states, and a stranger's call for help to reach its group, while nothing else happens and
/// beside each nuisance.
public struct Neighbours: Sendable {
    let settings: NeighbourSettings

    public init(_ settings: NeighbourSettings) { self.settings = settings }

    private static let nuisances: [any Nuisance] =
        [
            DueTimers(), Deafness(), Flood(), Storm(), LargeGroup(), Readers(way: .mqtt),
            Readers(way: .page), FilterFlood(),
        ] + OnePerson.all + [
            AbandonedSessions(), SlowReaders(), StrayAnswers(), DeepReply(), LargeCorrelation(),
            ReturningPhone(),
        ]

    /// - Parameter say: called with each line of the report as it is known.
    public func run(_ say: @escaping @Sendable (String) -> Void) async throws {
        raiseFileLimit()
        say(
            "\(Int(Ordinary.rate)) fixes a second of \(Ordinary.phoneCount) people in groups of "
                + "\(Ordinary.groupSize), and \(Callers.rate) calls for help a second of others, "
                + "each situation for \(settings.seconds) s; what has not come \(settings.patience)"
                + " s later never comes.")
        say(Situation.heading)
        let quiet = try await measure(nil)
        say(quiet.lines("nothing", beside: quiet))
        for (index, nuisance) in Neighbours.nuisances.enumerated() {
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

    private func measure(_ nuisance: (any Nuisance)?) async throws -> Situation {
        let outcome = Mutex<Situation?>(nil)
        let settings = settings
        try await Neighbourhood(settings: settings, nuisance: nuisance).live { town in
            let situation = try Neighbours.measure(nuisance, in: town)
            outcome.withLock { $0 = situation }
        }
        guard let situation = outcome.withLock({ $0 }) else {
            preconditionFailure("the body has run, or thrown")
        }
        return situation
    }

    private static func measure(_ nuisance: (any Nuisance)?, in town: Town) throws -> Situation {
        let ordinary = try Ordinary(town)
        try ordinary.settle()
        let sideline = try nuisance.map { try Sideline($0, in: town) }
        let before = Resources(town)
        var after = before
        let walk = try ordinary.walk(for: .seconds(town.settings.seconds)) {
            after = Resources(town)
            sideline?.stop()
        }
        return Situation(
            fixes: walk.fixes, calls: walk.calls, before: before, after: after,
            remark: try sideline?.end() ?? "")
    }
}
