internal import Contract
internal import HTTPTypes
internal import Hummingbird

/// `POST /api/{method}`: a request of the contract, as its caller.
struct MethodRoutes: Sendable {
    let desk: FrontDesk

    func add(to router: Router<WebContext>) {
        router.post("api/fix", use: fix)
        router.post("api/:method", use: method)
    }

    @Sendable private func method(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let method = try context.parameters.require("method")
        guard method.utf8.allSatisfy({ MethodRoutes.isLetter($0) }), method.utf8.count <= 64 else {
            throw Problem(.unknownMethod, "This service has no method of that name.")
        }
        let visitor: Visitor
        if GuestCommand.methods.contains(method) {
            try desk.sameSite.check(request, isCertain: false)
            visitor = try desk.guest(request, context)
        } else {
            visitor = try desk.caller(request)
        }
        let body = try await desk.body(of: request)
        return .json(try await desk.ask(visitor, method, body))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// A fix or an array of them.
    @Sendable private func fix(_ request: Request, _ context: WebContext) async throws -> Response {
        let visitor = try desk.caller(request)
        let body = try await desk.body(of: request)
        let fixes: JSONValue
        do throws(JSONError) { fixes = try JSONValue.parse(body) } catch { throw Problem(error) }
        var last: Int64?
        switch fixes {
        case .object: last = fixes["seq"]?.integer
        case .array(let fixes): last = fixes.compactMap { $0["seq"]?.integer }.max()
        default: throw Problem(.malformed, "A fix is an object, or they are an array of objects.")
        }
        let receipt = try await desk.switchboard.send(visitor, fixes: body, upTo: last)
        var response = Response.json(
            JSONWriter.object { json in
                guard let stored = receipt.stored else { return }
                json.key("stored")
                json.number(stored)
                json.key("rejected")
                json.array(receipt.rejected.compactMap { JSONValue.read($0) }) { $0.value($1) }
            })
        // Without a number it is in good hands, and nobody knows whether it is on disk.
        if receipt.stored == nil { response.status = .accepted }
        return response
    }
}
