import TestSupport

extension Page {
    /// Delivers a message to the page's service worker, as the service of a browser's maker does
    /// after it has decrypted it.
    public func push(_ text: String) async throws {
        try await run("await navigator.serviceWorker.ready")
        try await send("ServiceWorker.enable")
        let registration = try await wait(for: "a service worker") { visitor.registration }
        try await send(
            "ServiceWorker.deliverPushMessage",
            [
                "origin": .string(try await evaluate("location.origin", as: String.self)),
                "registrationId": .string(registration), "data": .string(text),
            ])
    }

    /// The expression's value, of the notifications that are shown, `shown`.
    public func notifications<Result: Decodable>(
        _ expression: String, as type: Result.Type = Result.self
    ) async throws -> Result {
        try await evaluate(
            """
            (async () => {
                const worker = await navigator.serviceWorker.ready;
                const shown = await worker.getNotifications();
                return \(expression);
            })()
            """)
    }
}
