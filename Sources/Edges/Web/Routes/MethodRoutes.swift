internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON

/// `POST /api/{method}`: a request of the contract, made with the caller's rights.
struct MethodRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) {
        router.post("api/fix", use: fix)
        router.post("api/:method", use: method)
    }

    @Sendable private func method(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let method = try context.parameters.require("method")
        guard method.utf8.allSatisfy({ MethodRoutes.isLetter($0) }), method.utf8.count <= 64 else {
            throw Problem(.unknownMethod, "This service has no method with that name.")
        }
        let askers = Method.named(method)?.askers ?? []
        // A method for both is used with the login, if there is one.
        if askers.contains(.guest), try !askers.contains(.user) || gateway.whoAsks(request) == nil {
            try gateway.sameSite.check(request, isCertain: false)
            return .json(try await gateway.askAsGuest(request, context, method))
        }
        let visitor = try gateway.caller(request, isCall: CallForHelp.isOne(method))
        let body = try await gateway.body(of: request)
        if gateway.isDemo(visitor) { try DemoRules.check(method, body) }
        if visitor.system != nil { try gateway.checkOperatorsPage() }
        return .json(try await gateway.ask(visitor, method, body))
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Accepts a fix or an array of fixes.
    @Sendable private func fix(_ request: Request, _ context: WebContext) async throws -> Response {
        let visitor = try gateway.caller(request)
        guard !gateway.isDemo(visitor) else { throw DemoRules.noPositions }
        let fixes = try NumberedFixes(try await gateway.body(of: request))
        let receipt = try await gateway.connections.send(visitor, fixes)
        var response = Response.json(
            JSONWriter.object { json in
                guard let stored = receipt.stored else { return }
                json.key("stored")
                json.number(stored)
                json.key("rejected")
                json.array(receipt.rejected) { json, rejection in
                    json.object { json in
                        json.key("problem")
                        json.value(rejection.problem)
                        json.key("seq")
                        json.array(rejection.numbers) { $0.number($1) }
                        guard !rejection.again.isEmpty else { return }
                        json.key("again")
                        json.array(rejection.again) { $0.number($1) }
                    }
                }
            })
        // Fixes without numbers are acknowledged by the broker, but no receipt shows when they are
        // on disk.
        if receipt.stored == nil { response.status = .accepted }
        return response
    }
}
