internal import Base64
internal import HTTPTypes
internal import Hummingbird
internal import JSON

/// `GET /api/avatars/{user}/{digest}`: the picture of a user whom the caller knows, a PNG. The
/// digest identifies it for ever, so that browsers request it once.
struct AvatarRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) {
        router.getAndHead("api/avatars/:user/:digest", use: avatar)
    }

    @Sendable private func avatar(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try gateway.caller(request)
        let user = try context.parameters.require("user")
        let digest = try context.parameters.require("digest")
        let result = try await gateway.ask(
            visitor, "avatar.get", .object([.init(key: "user", value: .string(user))]))
        guard let text = result["avatar"]?.text, let png = Base64.decode(text) else {
            throw Refusal.unreadable
        }
        // An earlier picture no longer exists.
        guard result["digest"]?.text == digest else {
            throw Refusal(.notFound, "There is no such picture.")
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/png", .cacheControl: "private, max-age=31536000, immutable",
            ], body: .init(byteBuffer: ByteBuffer(bytes: png)))
    }
}
