/// Why there is no push message. It repeats nothing of the input.
public enum WebPushError: Error, Hashable, Sendable, CustomStringConvertible {
    case endpoint
    case publicKey
    case authenticationSecret
    case message
    case topic
    case salt
    case contact
    case vapidKey
    case cryptography

    public var description: String {
        switch self {
        case .endpoint:
            "The endpoint is not an https URL of at most \(PushSubscription.maximumEndpoint) bytes."
        case .publicKey: "The key p256dh is not a point of P-256 in base64url."
        case .authenticationSecret: "The secret auth is not 16 bytes in base64url."
        case .message: "The message has more than \(PushMessage.maximumPayload) bytes."
        case .topic: "The topic is not 1 to 32 characters of base64url."
        case .salt: "The salt is not 16 bytes long."
        case .contact: "The contact is neither a mailto: nor an https: address."
        case .vapidKey: "The VAPID key is not a private key of P-256."
        case .cryptography: "The message cannot be encrypted or signed."
        }
    }
}
