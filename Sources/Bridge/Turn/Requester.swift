import Contract
import JSON
import Tracking

/// The sender of a request, and where and how to answer it.
struct Requester: Hashable, Sendable {
    enum Party: Hashable, Sendable {
        case device(DeviceID, of: UserID)
        case guest(ClientID)
        case `operator`

        /// Nothing is remembered of their requests.
        var hasNoAccount: Bool { if case .device = self { false } else { true } }
    }

    let party: Party
    var replyTopic: String
    var correlationData: [UInt8]?
    /// The request's id, echoed in the reply.
    var id: JSONValue?
    /// What identifies the request if it is repeated; nil for guests, for whom nothing is
    /// remembered.
    var key: RequestKey?
    /// Whether the reply is sent without being stored: this is for requests that may be done twice
    /// and are acknowledged only after the reply, so that they come again if it gets lost.
    var isAnsweredDirectly = false
    /// Whether the reply holds a secret, and is kept nowhere.
    var isAnswerSecret = false
    /// Whether somebody calls for help, for which damage among earlier answers does not matter.
    var isCall = false
    /// When the request was received; nil if in this turn.
    var askedAt: Timestamp?
}
