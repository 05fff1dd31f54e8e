/// Something to be sent, and the callback for the answer.
struct TransferOrder: Sendable {
    enum Work: Sendable {
        case http(HTTPRequest)
        case mail(MailSubmission)
    }

    /// Counts up.
    typealias ID = UInt64

    let id: ID
    let work: Work
    /// To be called once.
    let finish: @Sendable (Result<TransferAnswer, TransferError>) -> Void

    var lane: TransferLane {
        switch work {
        case .http(let request): request.lane
        case .mail(let mail): mail.lane
        }
    }

    /// The host whose room it takes up.
    var host: String {
        switch work {
        case .http(let request): "\(request.endpoint.host):\(request.endpoint.port)"
        case .mail(let mail): "\(mail.server.host):\(mail.server.port)"
        }
    }

    var limits: TransferLimits {
        switch work {
        case .http(let request): request.limits
        case .mail(let mail): mail.limits
        }
    }
}

/// The server's answer.
struct TransferAnswer: Sendable {
    /// HTTP's status or SMTP's reply.
    var code: Int
    var retryAfter: Duration?
    var body: [UInt8]
    /// The beginning of the mail server's last failure reply.
    var refusal: [UInt8] = []
    /// Whether the mail server's last reply is about the recipient.
    var isAboutRecipient = false
}
