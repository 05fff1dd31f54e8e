import Contract
import Tracking

/// Who made a request, and where and how it is to be answered.
struct Requester: Hashable, Sendable {
    enum Party: Hashable, Sendable {
        case device(DeviceID, of: UserID)
        case guest(ClientID)
    }

    let party: Party
    var replyTopic: String
    var correlationData: [UInt8]?
    /// Echoed.
    var id: JSONValue?
    /// What makes the request known when it comes again; guests have no such memory.
    var key: RequestKey?
    /// Whether the answer goes out without being stored: that of a request which is not acknowledged
    /// before, so that it comes again where the answer gets lost, and which may be done twice.
    var isAnsweredDirectly = false
    /// When the request was received; nil: in this turn.
    var askedAt: Timestamp?
}
