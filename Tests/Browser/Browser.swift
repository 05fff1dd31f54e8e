import Synchronization
import TestSupport

/// A real browser, driven over its DevTools protocol.
public final class Browser: Sendable {
    let wire: Wire
    private let registry: VisitorRegistry

    /// The current visitors, which receive the events.
    final class VisitorRegistry: Sendable {
        struct State {
            var visitors: [Visitor] = []
            var sessions: [String: Visitor] = [:]
        }
        let state = Mutex(State())
    }

    /// The visitors of this test.
    private let visitors = Mutex<[Visitor]>([])

    fileprivate init(_ wire: Wire, _ registry: VisitorRegistry) {
        self.wire = wire
        self.registry = registry
    }

    /// Opens a visitor that shares nothing with the others: it has cookies and storage of its own.
    public func visitor() async throws -> Visitor {
        let context = try await wire.send("Target.createBrowserContext")
        let visitor = Visitor(
            wire, context: try Browser.text(context["browserContextId"]), registry)
        registry.state.withLock { $0.visitors.append(visitor) }
        visitors.withLock { $0.append(visitor) }
        return visitor
    }

    /// Closes all visitors, with everything that they have open and stored.
    fileprivate func leave() async {
        for visitor in visitors.withLock({ $0 }) {
            registry.state.withLock { state in
                state.visitors.removeAll { $0 === visitor }
                state.sessions = state.sessions.filter { $0.value !== visitor }
            }
            _ = try? await wire.send(
                "Target.disposeBrowserContext", ["browserContextId": .string(visitor.context)])
        }
    }

    /// Opens a page for a new visitor.
    public func open(_ url: String, width: Int = 1280, height: Int = 800) async throws -> Page {
        try await visitor().open(url, width: width, height: height)
    }

    static func text(_ value: JSON) throws -> String {
        guard let text = value.text else { throw BrowserError("The browser left something out.") }
        return text
    }

    /// The pages' complaints that no visitor tolerates.
    public var complaints: [Complaint] {
        visitors.withLock { $0 }.flatMap(\.complaints)
    }

    static func take(_ event: Wire.Event, _ registry: VisitorRegistry) {
        if event.method == "Target.attachedToTarget" {
            let context = event.parameters["targetInfo"]["browserContextId"].text
            guard event.parameters["targetInfo"]["type"].text == "service_worker",
                let session = event.parameters["sessionId"].text,
                let visitor = registry.state.withLock({ state in
                    state.visitors.first { $0.context == context }
                })
            else { return }
            registry.state.withLock { $0.sessions[session] = visitor }
            Task { try await visitor.welcomeWorker(session) }
        } else if let session = event.session,
            let visitor = registry.state.withLock({ $0.sessions[session] })
        {
            visitor.take(event, session)
        }
    }
}

/// Runs `body` with a browser that is isolated from other tests. All tests of the process that want
/// the same build share one browser process; visitors have contexts of their own, which are closed at the end of the test.
///
/// - Throws: also if a page has a complaint that its visitor does not tolerate.
public func withBrowser<R>(
    _ build: BrowserBuild = .headlessShell, isolation: isolated (any Actor)? = #isolation,
    _ body: (Browser) async throws -> R
) async throws -> R {
    let chromium = try await Chromium.running(build)
    let browser = Browser(chromium.wire, chromium.registry)
    let outcome: Result<R, any Error>
    do {
        let value = try await body(browser)
        let complaints = browser.complaints
        guard complaints.isEmpty else {
            throw BrowserError(
                "Pages complained:\n" + complaints.map(\.description).joined(separator: "\n"))
        }
        outcome = .success(value)
    } catch {
        outcome = .failure(error)
    }
    await browser.leave()
    return try outcome.get()
}
