/// Why there is no message. It repeats nothing of the input.
public enum MailError: Error, Hashable, Sendable, CustomStringConvertible {
    case address, identifier, tooLong, link

    public var description: String {
        switch self {
        case .address: "The address is not valid in a mail header."
        case .identifier: "The message id is not valid in a mail header."
        case .tooLong:
            "The name or the subject has more than \(HeaderText.maximumLength) bytes."
        case .link: "The link is not an https URL in ASCII."
        }
    }
}
