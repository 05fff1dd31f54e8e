internal import Contract
internal import MQTT
internal import Store
internal import Tracking

/// Alerts about calls for help that cannot be stored at the moment.
extension Engine {
    /// Returns the alerts that the turn that stores the call will publish, with the same ids. They
    /// depend on memory alone, which does not change.
    ///
    /// - Parameter message: any message. Only a call for help that the gate has stamped has such
    ///   alerts: without its time of arrival, the stored call would get other ids.
    /// - Returns: nothing if the call is refused, or does not begin an SOS.
    func earlyAlerts(of message: Message, at now: Timestamp) -> [Publication] {
        guard case .request(let user, let name, Turn.call)? = settings.topics.parse(message.topic),
            let time = message.callArrival(at: now), let person = memory.account(user),
            person.kind == .person
        else { return [] }
        let device = person.device(named: name)
        guard device != nil || person.ownDevices.count < BridgeSettings.maximumDevices else {
            return []
        }
        let id = device?.id ?? DeviceID(rawValue: 0)
        let asker = Turn.asker(message, .device(id, of: person.id), in: settings.topics) {
            .replies(user, device: name, suffix: $0)
        }
        guard message.payload.count <= PayloadLimits.maximum, asker.refusal == nil,
            case .trigger(var fix, let refused)? = call(message, at: time)
        else { return [] }
        if let sample = fix, device?.log.novelty(of: sample.takenAt) == .known { fix = nil }
        var tracker = callersBefore[person.id] ?? person.tracker
        // A call from before the end of the last SOS gets the time of its turn, and its id.
        guard tracker.sosEndedAt.map({ time > $0 }) ?? true else { return [] }
        var effects: [Effect] = []
        do throws(Refusal) {
            guard !tracker.hasCalled else { return [] }
            try tracker.callForHelp(
                on: id, with: fix,
                isClockWrong: fix != nil && refused != nil, receivedAt: time, at: now,
                settings.rules, &effects)
        } catch {
            return []
        }
        return effects.compactMap { effect in
            guard case .alert(let alert, repetition: 0) = effect, alert.kind.isCall,
                let group = memory.groups[alert.group],
                let text = Emergencies.message(
                    AlertRow(alert: alert, user: person.id), memory, settings)
            else { return nil }
            return Publication(
                topic: settings.topics.string(.alerts(group.key)), payload: text.payload,
                qos: .atLeastOnce)
        }
    }

    private func call(_ message: Message, at time: Timestamp) -> EmergencyCommand? {
        do throws(Problem) {
            let command = try Command(
                method: Turn.call, try Request(message.payload), at: time, settings.limits)
            return command.content as? EmergencyCommand
        } catch {
            return nil
        }
    }

    /// The trackers of those who call, or end a call, in these messages.
    func callers(in messages: [Message]) -> [UserID: Tracker] {
        var callers: [UserID: Tracker] = [:]
        for message in messages where Engine.ends.contains(where: message.topic.hasSuffix) {
            guard let (user, _) = settings.topics.device(in: message.topic),
                let person = memory.account(user)
            else { continue }
            callers[person.id] = person.tracker
        }
        return callers
    }

    private static let ends = [Method.triggerSOS, .stopSOS].map { "/requests/\($0.name)" }
}
