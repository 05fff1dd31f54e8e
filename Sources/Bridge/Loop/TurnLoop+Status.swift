internal import Contract
internal import JSON
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Returns the bridge's health as it is retained.
    func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            json.string(word)
            if let clockSetAt {
                json.key("clockSet")
                json.time(clockSetAt)
            }
            json.key("version")
            json.string(kithVersion)
        }
        return Publication(
            topic: settings.topics.string(.systemStatus), payload: payload, qos: .atLeastOnce,
            retain: true)
    }
}

/// The version of Kith.
public let kithVersion = "0.1.0"
