internal import Contract
internal import JSON
internal import Logging
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Returns the bridge's health as it is retained.
    func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            if word == "online", let sparingSince {
                json.string("degraded")
                json.key("reason")
                json.string(StorageFailure.diskFull.rawValue)
                json.key("since")
                json.time(sparingSince)
                // Calls for help are stored all the same.
                json.key("calls")
                json.bool(true)
            } else {
                json.string(word)
            }
            if let clockSetAt {
                json.key("clockSet")
                json.time(clockSetAt)
            }
            if word == "online" {
                if concerns.isMonitoringIdle {
                    json.key("monitoring")
                    json.string("idle")
                }
                if concerns.isDiskLow {
                    json.key("disk")
                    json.string("low")
                }
                if concerns.isDrillUnanswered {
                    json.key("drill")
                    json.string("unanswered")
                }
            }
            json.key("version")
            json.string(kithVersion)
            if word == "online", let gate = concerns.otherGate {
                json.key("gate")
                json.string(gate)
            }
        }
        return Publication(
            topic: settings.topics.string(.systemStatus), payload: payload, qos: .atLeastOnce,
            retain: true)
    }

    /// The last turn of a connection before the bridge ends.
    package func end(_ link: some BrokerLink) throws {
        try publisher.publish([status("offline")], link)
        link.disconnect()
        try link.flush()
    }

    func tellConcerns(_ link: some BrokerLink, at now: Timestamp) throws {
        var new = engine.concerns(at: now, listeningSince: listeningSince ?? now)
        new.isDiskLow = disk?.isLow ?? false
        guard new != concerns, isListening else { return }
        if let gate = new.otherGate, gate != concerns.otherGate {
            logger.warning(
                "The broker runs the gate of another version: restart the broker.",
                metadata: ["gate": "\(gate)", "bridge": "\(kithVersionText)"])
        }
        concerns = new
        try publisher.publish([status("online")], link)
    }
}

/// What an operator has to look into although everything goes on.
struct Concerns: Hashable {
    /// People are watched, and nothing has come of any of them for a while.
    var isMonitoringIdle = false
    /// In the last drill a way to dispatch has not answered.
    var isDrillUnanswered = false
    /// Little room is left on the disk.
    var isDiskLow = false
    /// The version of the gate in the broker, if it is not the bridge's own.
    var otherGate: String?
}

extension Engine {
    /// - Parameter start: since when the broker has been heard.
    func concerns(at now: Timestamp, listeningSince start: Timestamp) -> Concerns {
        let monitoring = memory.state(MonitoringState.self)
        let last = max(monitoring.evaluatedAt ?? start, start)
        return Concerns(
            isMonitoringIdle: !monitoring.people.isEmpty
                && last + settings.emergency.idleAfter <= now,
            isDrillUnanswered: memory.state(DispatchState.self).isDrillUnanswered,
            otherGate: authentication.connections.otherGate)
    }
}
