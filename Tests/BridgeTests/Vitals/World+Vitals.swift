import Contract
import JSON
import MQTT
import Sealing
import Store
import Tracking

@testable import Bridge

extension World {
    func vitalsMessage(_ sender: Sender, _ payload: String) -> Message {
        message(.vitals(sender.user, device: sender.device), payload)
    }

    /// Sends a heart rate.
    func vitals(
        _ sender: Sender, rate: Int, ago age: Duration = .zero, seq: Int64? = nil
    ) throws {
        let sequence = seq.map { #","seq":\#($0)"# } ?? ""
        let time = (now - age).milliseconds
        try send(
            vitalsMessage(sender, #"{"timestamp":\#(time),"heartRate":\#(rate)\#(sequence)}"#))
    }

    /// The items of the first page of a person's export.
    func exported(_ sender: Sender) throws -> [JSONValue] {
        try ask(sender, "account.export")["result"]?["items"]?.elements ?? []
    }
}

extension Transaction {
    /// Any user's sample, if there is one.
    func anyVitals() throws(StoreError) -> VitalsRow? {
        for user in try users() {
            let rows = try vitals(of: user.id, from: nil, to: nil, before: nil, limit: 1)
            if let row = rows.first { return row }
        }
        return nil
    }
}
