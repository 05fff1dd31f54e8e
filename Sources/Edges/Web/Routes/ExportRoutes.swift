internal import Clocks
internal import Contract
internal import ExportFiles
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Tracking

/// `GET /api/export.zip`: everything stored about the caller.
struct ExportRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) { router.getAndHead("api/export.zip", use: export) }

    @Sendable private func export(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let visitor = try gateway.caller(request)
        guard case .device(let token) = visitor else { throw Refusal.notLoggedIn }
        let place = try gateway.placeForDownload(of: visitor, request, context)
        let pages = ExportPages { [gateway] fields throws(Refusal) in
            try await gateway.ask(visitor, "account.export", fields)
        }
        // Any refusal has to be sent before the first byte.
        let first = try await pages.page(at: .null)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip",
                .contentDisposition: "attachment; filename=\"\(token.user).zip\"",
            ],
            body: .init { writer in
                defer { withExtendedLifetime(place) {} }
                let now = Timestamp.now
                let source = PagedExport(pages, of: token.user, beginningWith: first)
                var body = writer
                try await ExportArchive(of: source, at: now) {
                    try await body.write(ByteBuffer(bytes: $0))
                }.write()
                try await body.finish(nil)
            })
    }
}
