/// Why an answer of an authenticator is refused. It repeats nothing of what was given.
public enum WebAuthnError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not the CBOR that authenticators write (``CBOR``), or not what belongs there.
    case encoding
    case clientData
    /// Made for another purpose: to add a passkey, or to log in with one.
    case type
    case challenge
    /// Made on another page, or inside of one.
    case origin
    /// Made for another host.
    case relyingParty
    case flags
    /// Nobody has touched it.
    case userPresence
    /// It has not asked for a finger, a face or a PIN.
    case userVerification
    case publicKey
    case signature
    /// It has signed more often before: somebody else may have a copy.
    case signCount

    public var description: String {
        switch self {
        case .encoding: "The authenticator's data cannot be read."
        case .clientData: "The client data cannot be read."
        case .type: "The answer is for another purpose."
        case .challenge: "The answer is to another challenge."
        case .origin: "The answer was made on another page."
        case .relyingParty: "The answer was made for another host."
        case .flags: "The flags contradict each other, or what they said before."
        case .userPresence: "Nobody was there."
        case .userVerification: "The authenticator has not made sure who it was."
        case .publicKey: "The public key is of none of the kinds that are accepted."
        case .signature: "The signature is not right."
        case .signCount: "The authenticator has counted further before."
        }
    }
}
