/// Arrivals without a single decisive fix.
extension Tracker {
    /// Records an app's report that the person has entered or left a circle that it monitors
    /// itself. At a journey's destination this counts like a fix.
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

    /// Whether the person seems to be at the destination. Silence then raises no alarm, except in
    /// an SOS.
    var isThere: Bool { emergency == nil && journey?.approach.isThere ?? false }

    /// When an arrival is reported without further messages.
    func arrivesAt(listeningSince: Timestamp, _ rules: Rules) -> Timestamp? {
        guard let journey, let watch else { return nil }
        return journey.arrivesAt(isSilent: watch.toldSilent || watch.toldOffline) { heardAt in
            presence.silentAt(
                of: carriedDevice, since: max(heardAt, watch.fixAwaitedSince),
                listeningSince: listeningSince, rules)
        }
    }
}
