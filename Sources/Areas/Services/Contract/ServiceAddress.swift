internal import Foundation

/// The page where people open a service: a company's https address. It does not identify who opens
/// it.
public struct ServiceAddress: Hashable, Sendable {
    public let text: String

    /// Bytes.
    public static let maximumLength = 200

    /// Nil unless it is an address such as `https://heart.example.org/app`, in ASCII, as browsers
    /// read it, without a user and a fragment.
    public init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !#"\"<>"#.utf8.contains($0)
        }
        guard isPlain, text.utf8.count <= ServiceAddress.maximumLength,
            text.hasPrefix("https://"), let url = URL(string: text), url.user() == nil,
            url.password() == nil, url.fragment() == nil, let host = url.host(), !host.isEmpty,
            host.utf8.first != UInt8(ascii: "."), host.contains(".")
        else { return nil }
        self.text = text
    }
}

extension Kind where Value == ServiceAddress {
    static let serviceAddress = Kind.text(
        orRefuse: "must be an address such as https://heart.example.org, of at most "
            + "\(ServiceAddress.maximumLength) bytes"
    ) { ServiceAddress($0) }
}
