internal import Crypto
public import Tracking

/// The digits that are sent to an address, and entered by the person who reads its mail.
///
/// Only their hash is stored. Their description reveals nothing, so that they appear in no log.
public struct ConfirmationCode: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(using random: inout any RandomNumberGenerator) {
        text = (0..<ChannelCommand.codeLength).map { _ in "\(random.next() % 10)" }.joined()
    }

    public init(_ text: String) { self.text = text }

    /// Returns SHA-256 of the channel's id and the digits.
    public func hash(for channel: UUIDv7) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(channel) \(text)".utf8)))
    }

    public var description: String { "a code" }
}
