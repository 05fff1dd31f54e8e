internal import Contract

/// An MQTT client id, under which the broker knows a session: whoever connects with it takes the
/// session over. Any text of up to 512 bytes; what a guest needs besides is a ``ClientID``.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init?(_ text: String) {
        guard (1...SessionID.maximumLength).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Bytes: names of hosts are in what libraries choose by themselves.
    public static let maximumLength = 512

    /// Byte by byte, as the broker tells clients apart: not as Unicode does.
    public static func == (left: SessionID, right: SessionID) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    public var description: String { text }

    // MARK: Whose it is

    /// What stands before the first dot; nil where there is none.
    private var beginning: Substring? {
        text.utf8.firstIndex(of: UInt8(ascii: ".")).map { text[..<$0] }
    }

    /// Whether it belongs to whoever has this user name: it is the name, or `{user}.…`,
    /// `kith:bridge.…`.
    func belongs(to username: String) -> Bool {
        (beginning ?? text[...]).utf8.elementsEqual(username.utf8)
    }

    /// Whether nobody else may have it, not even for a moment: what waits for a device waits under
    /// `{user}.{device}`, and what waits for the service under `kith:…`. It is seen from the
    /// id alone: so nobody learns by it who exists, and it holds as well when the broker was just
    /// started and nobody is remembered.
    var isReserved: Bool {
        if SessionID.ofServices.contains(where: { text.utf8.starts(with: $0.utf8) }) {
            return true
        }
        guard let beginning, Name(beginning) != nil else { return false }
        return Name(text[text.index(after: beginning.endIndex)...]) != nil
    }

    /// Whether a session under this id may outlast its connection: a device has one, and the
    /// service's own programs have theirs.
    func isForLasting(of principal: Principal) -> Bool {
        switch principal {
        case .device(let device, let user): text == "\(user).\(device)"
        case .system(let system): beginning != nil && belongs(to: system.rawValue)
        case .guest, .service: false
        }
    }

    private static let ofServices = ["kith:", "service:"]

    /// The device whose session would last under this id.
    var device: Name? {
        beginning.flatMap { Name(text[text.index(after: $0.endIndex)...]) }
    }
}
