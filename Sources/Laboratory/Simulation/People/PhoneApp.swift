import Bridge
import Contract
import MQTT
import Tracking

/// How a phone's app communicates with the service.
protocol PhoneApp {
    /// Whether it numbers its fixes and keeps each until its receipt.
    var isNumbering: Bool { get }
    /// Whether it can send requests.
    var canAsk: Bool { get }

    /// Returns the operator's command that lets the phone in.
    func tokenCommand(_ phone: Phone) -> OperatorCommand
    /// Returns the app's subscriptions, in addition to those of every phone.
    func filters(of phone: Phone) -> [String]
    func will(of phone: Phone) -> Message
    /// Returns nil if the app does not report that it is online or offline.
    func status(_ word: String, of phone: Phone) -> Message?

    /// Returns the topic of fixes.
    func topic(of phone: Phone) -> String
    /// Returns the time as precisely as the app writes it.
    func rounded(_ time: Timestamp) -> Timestamp
    /// Returns a fix as JSON, at the phone's current position.
    func fix(of phone: Phone, at time: Timestamp, sequence: Int64?) -> String
}

/// An app that uses everything that Kith offers.
struct KithApp: PhoneApp {
    let isNumbering: Bool
    let canAsk = true

    static let numbering = KithApp(isNumbering: true)
    static let plain = KithApp(isNumbering: false)

    func tokenCommand(_ phone: Phone) -> OperatorCommand {
        .setToken(
            user: phone.user, device: phone.device, hash: phone.token.hash, speaksOwnTracks: false)
    }

    func filters(of phone: Phone) -> [String] { [] }

    func will(of phone: Phone) -> Message { message("offline", phone) }

    func status(_ word: String, of phone: Phone) -> Message? { message(word, phone) }

    private func message(_ word: String, _ phone: Phone) -> Message {
        Message(
            topic: phone.world.topics.string(.status(phone.user, device: phone.device)),
            payload: Array(word.utf8), retain: true)
    }

    func topic(of phone: Phone) -> String {
        phone.world.topics.string(.fix(phone.user, device: phone.device))
    }

    func rounded(_ time: Timestamp) -> Timestamp { time }

    func fix(of phone: Phone, at time: Timestamp, sequence: Int64?) -> String {
        var text =
            #"{"latitude":\#(phone.latitude),"longitude":14.5,"timestamp":\#(time.milliseconds)"#
        if phone.world.chance.happens(30) { text += #","accuracy":12"# }
        if let sequence { text += #","seq":\#(sequence)"# }
        return text + "}"
    }
}
