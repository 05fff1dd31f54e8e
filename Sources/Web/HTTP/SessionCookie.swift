internal import Contract
internal import HTTPTypes
internal import Hummingbird

/// Where a browser keeps its token: out of reach of scripts, and sent to this site alone when
/// this site asks.
struct SessionCookie: Sendable {
    private let name: String
    private let isSecure: Bool

    /// - Parameter isSecure: whether the page is reached by https.
    init(isSecure: Bool) {
        self.isSecure = isSecure
        // With this prefix no other host of the domain can set it (RFC 6265bis, 4.1.3.2).
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

    /// Of who watches the demo: a name for its token, which only this program has. It is worth
    /// nothing at the broker.
    static let demo = "demo"
    var setToDemo: String { field(SessionCookie.demo, maxAge: SessionCookie.lifetime) }

    var cleared: String { field("", maxAge: 0) }

    private func field(_ value: String, maxAge: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    /// Seconds; as long as browsers grant.
    private static let lifetime = 400 * 86_400
}
