import Contract

/// The areas of the service in which the simulated people live. An area that is missing from this
/// list has no life: `LifeTests` reports it.
var simulatedAreas: [any SimulatedArea.Type] {
    [
        SimulatedAccounts.self, SimulatedGroups.self, SimulatedInvitations.self,
        SimulatedShareLinks.self, SimulatedFriends.self, SimulatedEmergencies.self,
        SimulatedJourneys.self, SimulatedChat.self, SimulatedNotices.self, SimulatedChannels.self,
        SimulatedVitals.self, SimulatedMonitoring.self, SimulatedDispatch.self,
        SimulatedMaintenance.self, SimulatedRuns.self, SimulatedPlaces.self,
        SimulatedGeofences.self, SimulatedReminders.self,
        SimulatedHistory.self, SimulatedServices.self, SimulatedCohorts.self,
        SimulatedOwnTracks.self,
    ]
}

/// All requests that the simulated people may make with their phones, and the statements that are
/// watched.
struct Life {
    /// Includes a method that does not exist.
    let asks: [Ask<Phone>]
    let adversaryAsks = simulatedAreas.flatMap { $0.adversaryAsks }
    let adversaryGuestAsks = simulatedAreas.flatMap { $0.adversaryGuestAsks }
    /// The beginnings of the statements that the areas' oracles receive.
    let statements = simulatedAreas.flatMap { $0.statements }

    /// - Parameter canary: a bug in an area, of which there are many: people are busier there, so
    ///   that few runs are enough to find it.
    init(with canary: Canary? = nil) {
        asks =
            [Ask(1, "no.such")]
            + simulatedAreas.flatMap { area in
                let factor = area.canaries.contains { $0.name == canary?.name } ? 8 : 1
                return area.asks.map { Ask($0.weight * factor, $0.method, $0.fields) }
            }
    }

    /// Returns the adversary's requests that only read, or that change something.
    func adversaryAsks(reading: Bool) -> [Ask<Adversary>] {
        adversaryAsks.filter { (Method.named($0.method)?.isRead ?? false) == reading }
    }
}
