internal import HTTPTypes
internal import Hummingbird

/// Answers a request with an unsupported method with the supported ones.
struct MethodCheck: RouterMiddleware {
    let pages: Pages
    let hasMap: Bool

    func handle(
        _ request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let methods = supported(at: request.uri.path)
        guard methods.isEmpty || methods.contains(request.method) else {
            throw Refusal(methods: methods)
        }
        return try await next(request, context)
    }

    /// The methods of an address; empty for an unknown address.
    private func supported(at path: String) -> [HTTPRequest.Method] {
        let verbs = WebRoute.matching(path).flatMap(\.verbs)
        if !verbs.isEmpty, hasMap || !path.hasPrefix("/map/") {
            return order.filter { verbs.contains($0.rawValue) }
        }
        return pages.has(path) ? read : []
    }

    private let read: [HTTPRequest.Method] = [.get, .head]
    private let order: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
}

extension Refusal {
    fileprivate init(methods: [HTTPRequest.Method]) {
        let names = methods.map(\.rawValue).joined(separator: ", ")
        self.init(.methodNotAllowed, "Method not allowed. Allowed: \(names).")
        allow = names
    }
}

extension Router where Context == WebContext {
    /// Also answers HEAD, with the answer of `handler` without its body.
    func getAndHead(
        _ path: RouterPath,
        use handler: @escaping @Sendable (Request, WebContext) async throws -> Response
    ) {
        get(path, use: handler)
        head(path) { request, context in
            try await handler(request, context).createHeadResponse()
        }
    }
}
