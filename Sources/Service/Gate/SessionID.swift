internal import Contract

/// An MQTT client id, under which the broker knows a session: connecting with it takes over the
/// session. Any text of up to 512 bytes; a guest's must also be a ``ClientID``.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init?(_ text: String) {
        guard (1...SessionID.maximumLength).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// In bytes: ids chosen by libraries contain host names.
    public static let maximumLength = 512

    /// Compares byte by byte, as the broker does, not by Unicode equivalence.
    public static func == (left: SessionID, right: SessionID) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    public var description: String { text }

    // MARK: Ownership

    /// The part before the first dot; nil if there is none.
    private var beginning: Substring? {
        text.utf8.firstIndex(of: UInt8(ascii: ".")).map { text[..<$0] }
    }

    /// Whether it belongs to the owner of this user name: it is the name, or `{user}.…`,
    /// `kith:bridge.…`.
    func belongs(to username: String) -> Bool {
        (beginning ?? text[...]).utf8.elementsEqual(username.utf8)
    }

    /// Whether only its owner may use it, even briefly: messages for a device are queued under
    /// `{user}.{device}`, and those for the service under `kith:…`. This depends only on the id, so
    /// it does not reveal which users exist, and also holds just after the broker's start, when no
    /// sessions are known.
    var isReserved: Bool {
        if PrincipalRow.prefixes.contains(where: { text.utf8.starts(with: $0.utf8) }) {
            return true
        }
        guard let beginning, Name(beginning) != nil else { return false }
        return Name(text[text.index(after: beginning.endIndex)...]) != nil
    }

    /// Whether a session under this id may outlast its connection.
    func isForLasting(of principal: Principal) -> Bool {
        switch (principal.row.session, principal) {
        case (.ofDevice, .device(let device, let user)): text == "\(user).\(device)"
        case (.ofProgram, _): beginning != nil && belongs(to: principal.username)
        case (.never, _), (.ofDevice, _): false
        }
    }

    /// The device whose persistent session would have this id.
    var device: Name? {
        beginning.flatMap { Name(text[text.index(after: $0.endIndex)...]) }
    }
}
