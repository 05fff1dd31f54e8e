import Contract
import JSON
import Tracking

/// The sender of a request, and where and how to answer it.
struct Requester: Hashable, Sendable {
    enum Party: Hashable, Sendable {
        case device(DeviceID, of: UserID)
        case guest(ClientID)
        case `operator`

        /// Whether it has no account; its replies are not stored.
        var hasNoAccount: Bool { if case .device = self { false } else { true } }
    }

    let party: Party
    /// The broker that the request came from: guests at different ones may have the same client id.
    /// Nil if it is not known, since the request was stored meanwhile.
    var broker: Int?
    var replyTopic: String
    var correlationData: [UInt8]?
    /// The request's id, echoed in the reply.
    var id: JSONValue?
    /// The key that identifies repetitions of the request; nil if they are not recognised. Of
    /// guests' requests only logins with a password are.
    var key: RequestKey?
    /// Whether the reply is sent without being stored: for requests that may be done twice and are
    /// acknowledged only after the reply, so that they are redelivered if it gets lost.
    var isAnsweredDirectly = false
    /// Whether the reply contains a secret, and is not stored.
    var isAnswerSecret = false
    /// Whether this is a call for help, for which damage among earlier answers does not matter.
    var isCall = false
    /// When the request was received; nil for this turn.
    var askedAt: Timestamp?
    /// When the broker received a call for help, if that is known.
    var calledAt: Timestamp?
}
