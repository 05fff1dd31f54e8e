import Bridge
import Contract
import MQTT
import Tracking

/// The OwnTracks app, which reports positions and shows those of others.
struct OwnTracksApp: PhoneApp {
    let isNumbering = false
    let canAsk = false

    func tokenCommand(_ phone: Phone) -> OperatorCommand {
        .setToken(
            user: phone.user, device: phone.device, hash: phone.token.hash, speaksOwnTracks: true)
    }

    func filters(of phone: Phone) -> [String] { ["owntracks/\(phone.user)/#"] }

    func will(of phone: Phone) -> Message {
        Message(topic: topic(of: phone), payload: Array(#"{"_type":"lwt"}"#.utf8))
    }

    func status(_ word: String, of phone: Phone) -> Message? { nil }

    func topic(of phone: Phone) -> String { "owntracks/\(phone.user)/\(phone.device)" }

    /// Rounds to the second.
    func rounded(_ time: Timestamp) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds - time.milliseconds % 1000)
    }

    /// Returns a position, sometimes as an SOS.
    func fix(of phone: Phone, at time: Timestamp, sequence: Int64?) -> String {
        let mark = phone.world.chance.happens(4) ? #","poi":"SOS""# : ""
        return #"{"_type":"location","lat":\#(phone.latitude),"lon":14.5,"#
            + #""tst":\#(time.milliseconds / 1000)\#(mark)}"#
    }
}
