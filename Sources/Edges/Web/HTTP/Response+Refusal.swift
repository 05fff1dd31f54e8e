internal import HTTPTypes
internal import Hummingbird

extension Response {
    init(_ refusal: Refusal) {
        self.init(
            status: refusal.status, headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: .init(bytes: refusal.body)))
        if let pause = refusal.retryAfter {
            headers[.retryAfter] = String(max(1, pause.components.seconds))
        }
        if let allow = refusal.allow { headers[.allow] = allow }
        if refusal.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    }

    static func json(_ body: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(bytes: body)))
    }
}
