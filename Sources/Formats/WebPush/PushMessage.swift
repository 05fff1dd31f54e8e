internal import Base64

/// A message for a browser, and its treatment by the push service (RFC 8030, 5).
public struct PushMessage: Sendable {
    /// How soon a device that saves its battery should be woken (RFC 8030, 5.3).
    public enum Urgency: String, Sendable, CaseIterable {
        case veryLow = "very-low"
        case low, normal, high
    }

    public let payload: [UInt8]
    /// How long the push service keeps it for a browser that is offline.
    public let timeToLive: Duration
    public let urgency: Urgency
    /// A later message with the same topic replaces one that still waits.
    public let topic: String?

    /// In bytes: with salt, key and tag that is one record of 4,096.
    public static let maximumPayload = 3993

    /// - Parameters:
    ///   - timeToLive: whole seconds; a negative one counts as zero.
    ///   - topic: 1 to 32 characters of base64url.
    public init(
        _ payload: [UInt8], timeToLive: Duration, urgency: Urgency = .normal, topic: String? = nil
    ) throws(WebPushError) {
        guard payload.count <= PushMessage.maximumPayload else { throw .message }
        guard
            topic.map({
                (1...32).contains($0.utf8.count) && $0.utf8.allSatisfy(Base64URL.isDigit)
            }) ?? true
        else { throw .topic }
        self.payload = payload
        self.timeToLive = max(.zero, timeToLive)
        self.urgency = urgency
        self.topic = topic
    }

    /// Returns the request to the subscription's endpoint, a POST.
    ///
    /// - Parameters:
    ///   - once: random, only for this message.
    ///   - padding: the number of bytes added to the message, as far as there is room: the push
    ///     service sees its length, and little else.
    ///   - authorization: from ``VAPIDKey/authorization(for:contact:at:validFor:)``.
    public func request(
        to subscription: PushSubscription, once: MessageKey, padding: Int = 0,
        authorization: String
    ) throws(WebPushError) -> PushRequest {
        let padding = min(max(0, padding), PushMessage.maximumPayload - payload.count)
        var headers = [
            ("Authorization", authorization), ("Content-Encoding", "aes128gcm"),
            ("Content-Type", "application/octet-stream"),
            ("TTL", "\(timeToLive.components.seconds)"), ("Urgency", urgency.rawValue),
        ]
        if let topic { headers.append(("Topic", topic)) }
        return PushRequest(
            endpoint: subscription.endpoint, headers: headers,
            body: try once.encrypt(payload, for: subscription, padding: padding))
    }
}

/// A request to be sent unchanged.
public struct PushRequest: Sendable {
    public let endpoint: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
}
