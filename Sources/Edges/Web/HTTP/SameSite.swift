internal import HTTPTypes
internal import Hummingbird

/// Refuses requests that another site causes a browser to send.
struct SameSite: Sendable {
    private let origin: String?

    init(_ settings: WebSettings) { origin = settings.server.origin }

    /// - Parameter isCertain: whether the browser has to state the request's origin, because the
    ///   request can act in the user's name.
    func check(_ request: Request, isCertain: Bool) throws(Refusal) {
        let site = request.headers[.fetchSite]
        let origin = request.headers[.origin]
        if let site, site != "same-origin", site != "none" { throw SameSite.refusal }
        if let origin, !isOurs(origin, request) { throw SameSite.refusal }
        if isCertain, site == nil, origin == nil { throw SameSite.refusal }
    }

    private func isOurs(_ text: String, _ request: Request) -> Bool {
        if let origin { return text == origin }
        guard let host = request.head.authority, let other = Origin(of: text) else { return false }
        return other.isSite(of: host)
    }

    private static let refusal = Refusal(
        .forbidden, "This request comes from another site, or does not state its origin.")
}
