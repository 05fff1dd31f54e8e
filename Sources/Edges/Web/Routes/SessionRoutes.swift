internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON

/// `/session`: logging in and out in a browser. The token stays in the cookie.
struct SessionRoutes: Sendable {
    let gateway: RequestGateway

    func add(to router: Router<WebContext>) {
        router.post("session", use: logIn)
        router.post("session/passkey", use: logInByPasskey)
        router.post("session/demo", use: watchDemo)
        router.getAndHead("session", use: current)
        router.delete("session", use: logOut)
    }

    /// Accepts `{login,password,device}`, like `account.login`.
    @Sendable private func logIn(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        try await logIn(request, context, by: "account.login")
    }

    /// Accepts `{credential,device}`, like `account.passkey.login`.
    @Sendable private func logInByPasskey(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        try await logIn(request, context, by: "account.passkey.login")
    }

    private func logIn(_ request: Request, _ context: WebContext, by method: String) async throws
        -> Response
    {
        try gateway.sameSite.check(request, isCertain: true)
        let result = JSONValue(
            parsing: try await gateway.askAsGuest(request, context, method), isOurs: true)
        guard case .string(let text) = result?["token"], let token = DeviceToken(text) else {
            throw Refusal(.badGateway, "The answer cannot be read.")
        }
        return session(token, isNew: true)
    }

    @Sendable private func watchDemo(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        try gateway.sameSite.check(request, isCertain: true)
        guard let token = gateway.settings.demo else {
            throw Refusal(.notFound, "This server has no demo.")
        }
        return session(token, isNew: true)
    }

    /// Answers 204 to a browser without a cookie, 401 to one whose token no longer works.
    @Sendable private func current(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        guard try gateway.whoAsks(request) != nil else { return Response(status: .noContent) }
        guard case .device(let token) = try gateway.caller(request) else {
            throw Refusal.notLoggedIn
        }
        try await gateway.connections.connect(.device(token))
        // Does not set the cookie: a late answer must not overwrite that of a newer login.
        return session(token, isNew: false)
    }

    /// Revokes the token, except the demo's, which all its visitors share.
    @Sendable private func logOut(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        guard let caller = try gateway.whoAsks(request) else {
            return Response(status: .noContent, headers: [.setCookie: gateway.cookie.cleared])
        }
        try gateway.sameSite.check(request, isCertain: caller.byCookie)
        try gateway.checkUser(of: request, caller)
        if case .device(let token) = caller.visitor, token != gateway.settings.demo {
            do throws(Refusal) {
                _ = try await gateway.ask(caller.visitor, "account.logout", Array("{}".utf8))
            } catch  where error.status == .unauthorized {
                // The token no longer works, as intended.
            }
        }
        return Response(status: .noContent, headers: [.setCookie: gateway.cookie.cleared])
    }

    /// `{user,device,root,demo}`
    private func session(_ token: DeviceToken, isNew: Bool) -> Response {
        var response = Response.json(
            JSONWriter.object { json in
                json.key("user")
                json.string(token.user.text)
                json.key("device")
                json.string(token.device.text)
                json.key("root")
                json.string(gateway.settings.topics.root)
                json.key("demo")
                json.bool(token == gateway.settings.demo)
            })
        guard isNew else { return response }
        response.headers[.setCookie] =
            token == gateway.settings.demo ? gateway.cookie.setToDemo : gateway.cookie.set(token)
        return response
    }
}
