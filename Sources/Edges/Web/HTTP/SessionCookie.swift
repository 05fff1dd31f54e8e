internal import Contract
internal import HTTPTypes
internal import Hummingbird

/// The cookie in which a browser keeps its token: not readable by scripts, and only sent to this
/// site with this site's own requests.
struct SessionCookie: Sendable {
    private let name: String
    private let isSecure: Bool

    /// - Parameter isSecure: whether the page is reached over HTTPS.
    init(isSecure: Bool) {
        self.isSecure = isSecure
        // With this prefix no other host of the domain can set the cookie (RFC 6265bis, 4.1.3.2).
        name = isSecure ? "__Host-kith" : "kith"
    }

    func token(in request: Request) -> String? {
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].filter({ $0 != " " }) == name else { continue }
                return String(parts[1].filter { $0 != " " })
            }
        }
        return nil
    }

    func set(_ token: DeviceToken) -> String { field(token.text, maxAge: SessionCookie.lifetime) }

    /// The cookie's value for demo visitors: it stands for the demo token, which only this program
    /// has, and is worth nothing at the broker.
    static let demo = "demo"
    var setToDemo: String { field(SessionCookie.demo, maxAge: SessionCookie.lifetime) }

    var cleared: String { field("", maxAge: 0) }

    private func field(_ value: String, maxAge: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    /// In seconds; the longest that browsers allow.
    private static let lifetime = 400 * 86_400
}
