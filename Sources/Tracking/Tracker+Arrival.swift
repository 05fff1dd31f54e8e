/// Arrivals that no single fix tells.
extension Tracker {
    /// An app says that the person has entered or left a circle that it watches itself. At the
    /// destination of a journey this counts as a fix would.
    public mutating func note(
        _ crossing: Crossing, from device: DeviceID, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        guard whereabouts.isCarried(device) else { return [] }
        var effects: [Effect] = []
        if let isReached = changeJourney({ $0.isReached(by: crossing, at: now, rules) }) {
            if isReached { endJourney(.journeyArrived, at: now, &effects) }
        } else {
            undertaking.changeWaiting { waiting in
                if waiting.journey.isReached(by: crossing, at: now, rules) {
                    waiting.isReached = true
                }
            }
        }
        return settle(effects)
    }

    /// Whether the person seems to be at the destination. Silence raises no alarm then, except in an
    /// SOS.
    var isThere: Bool { emergency == nil && journey?.approach.isThere ?? false }

    /// When an arrival is told if nothing more comes.
    func arrivesAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard let journey, let watch else { return nil }
        return journey.arrivesAt(isSilent: watch.toldSilent || watch.toldOffline) { heardAt in
            presence.silentAt(
                of: carriedDevice, since: max(heardAt, watch.fixAwaitedSince),
                listeningSince: listeningSince, rules)
        }
    }
}
