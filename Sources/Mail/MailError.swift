/// Why there is no message. It repeats nothing of what was given.
public enum MailError: Error, Hashable, Sendable, CustomStringConvertible {
    case address, identifier, tooLong, link

    public var description: String {
        switch self {
        case .address: "The address cannot stand in a mail's head."
        case .identifier: "The message's id cannot stand in a mail's head."
        case .tooLong:
            "The name or the subject has more than \(HeaderText.maximumLength) bytes."
        case .link: "The link is not an https URL in ASCII."
        }
    }
}
