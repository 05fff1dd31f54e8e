import Synchronization
import TestBroker
import TestJSON

/// A real browser, driven over its DevTools protocol.
public final class Browser: Sendable {
    let wire: Wire
    private let house: House

    /// Who is there; events come for them.
    final class House: Sendable {
        struct State {
            var visitors: [Visitor] = []
            var sessions: [String: Visitor] = [:]
        }
        let state = Mutex(State())
    }

    fileprivate init(_ wire: Wire, _ house: House) {
        self.wire = wire
        self.house = house
    }

    /// Somebody who shares nothing with the others: with cookies and storage of their own.
    public func visitor() async throws -> Visitor {
        let context = try await wire.send("Target.createBrowserContext")
        let visitor = Visitor(
            wire, context: try Browser.text(context["browserContextId"]), house)
        house.state.withLock { $0.visitors.append(visitor) }
        return visitor
    }

    /// A page of a visitor of its own.
    public func open(_ url: String, width: Int = 1280, height: Int = 800) async throws -> Page {
        try await visitor().open(url, width: width, height: height)
    }

    static func text(_ value: JSON) throws -> String {
        guard let text = value.text else { throw BrowserError("The browser left something out.") }
        return text
    }

    /// What pages complained of, and nobody tolerates.
    public var complaints: [Complaint] {
        house.state.withLock { $0.visitors }.flatMap(\.complaints)
    }

    fileprivate static func take(_ event: Wire.Event, _ house: House) {
        if event.method == "Target.attachedToTarget" {
            let context = event.parameters["targetInfo"]["browserContextId"].text
            guard event.parameters["targetInfo"]["type"].text == "service_worker",
                let session = event.parameters["sessionId"].text,
                let visitor = house.state.withLock({ state in
                    state.visitors.first { $0.context == context }
                })
            else { return }
            house.state.withLock { $0.sessions[session] = visitor }
            Task { try await visitor.welcomeWorker(session) }
        } else if let session = event.session,
            let visitor = house.state.withLock({ $0.sessions[session] })
        {
            visitor.take(event, session)
        }
    }
}

/// Runs `body` with a browser that has nothing of others, and ends it.
///
/// - Throws: also where a page complained of something that its visitor does not tolerate.
public func withBrowser<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Browser) async throws -> R
) async throws -> R {
    try await withTemporaryDirectory { directory in
        let house = Browser.House()
        let wire = try Wire(in: directory) { Browser.take($0, house) }
        let process = BrowserProcess(in: directory)
        let outcome: Result<R, any Error>
        do {
            // A service worker waits until it is known: it may have to be offline from the start.
            do {
                try await wire.send(
                    "Target.setAutoAttach",
                    [
                        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
                        "filter": [["type": "service_worker"]],
                    ])
            } catch {
                throw BrowserError("The browser does not start: \(error)\n\(process.lastWords)")
            }
            let browser = Browser(wire, house)
            let value = try await body(browser)
            let complaints = browser.complaints
            guard complaints.isEmpty else {
                throw BrowserError(
                    "Pages complained:\n"
                        + complaints.map(\.description).joined(separator: "\n"))
            }
            outcome = .success(value)
        } catch {
            outcome = .failure(error)
        }
        _ = try? await wire.send("Browser.close")
        await process.end()
        wire.end()
        return try outcome.get()
    }
}
