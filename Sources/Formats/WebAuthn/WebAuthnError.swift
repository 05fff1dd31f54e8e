/// Why an authenticator's answer is refused. It repeats nothing of the input.
public enum WebAuthnError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not the CBOR that authenticators write (``CBOR``), or with unexpected content.
    case encoding
    case clientData
    /// Made for another purpose: to add a passkey, or to log in with one.
    case type
    case challenge
    /// Made on another page, or embedded in one.
    case origin
    /// Made for another host.
    case relyingParty
    case flags
    /// No one has touched it.
    case userPresence
    /// It has not verified a finger, a face or a PIN.
    case userVerification
    case publicKey
    case signature
    /// It has signed more often before: there may be a copy of it.
    case signCount

    public var description: String {
        switch self {
        case .encoding: "The authenticator's data cannot be read."
        case .clientData: "The client data cannot be read."
        case .type: "The answer is for another purpose."
        case .challenge: "The answer is to another challenge."
        case .origin: "The answer was made on another page."
        case .relyingParty: "The answer was made for another host."
        case .flags: "The flags contradict each other or earlier ones."
        case .userPresence: "The user was not present."
        case .userVerification: "The authenticator did not verify the user."
        case .publicKey: "The public key type is not accepted."
        case .signature: "The signature is not valid."
        case .signCount: "The authenticator's counter went backwards."
        }
    }
}
