import Synchronization
import TestSupport

/// A browser context, with cookies, storage and service workers of its own.
public final class Visitor: Sendable {
    let wire: Wire
    let context: String
    private let registry: Browser.VisitorRegistry

    private struct State {
        var isOffline = false
        /// Sessions of pages and service workers.
        var sessions: [String] = []
        var complaints: [Complaint] = []
        var tolerances: [@Sendable (Complaint) -> Bool] = []
        var answer = true
        var dialogs: [String] = []
        /// The registration of the newest service worker.
        var registration: String?
        /// The files of pages that have no server.
        var files: [String: ServedFiles] = [:]
    }
    private let state = Mutex(State())

    init(_ wire: Wire, context: String, _ registry: Browser.VisitorRegistry) {
        self.wire = wire
        self.context = context
        self.registry = registry
    }

    // MARK: Pages

    /// Returns when it is loaded.
    ///
    /// - Parameter width: less than 600 is a phone.
    public func open(_ url: String, width: Int = 1280, height: Int = 800) async throws -> Page {
        let target = try await wire.send(
            "Target.createTarget",
            ["url": "about:blank", "browserContextId": .string(context)])
        let attached = try await wire.send(
            "Target.attachToTarget", ["targetId": target["targetId"], "flatten": true])
        let session = try Browser.text(attached["sessionId"])
        registry.state.withLock { $0.sessions[session] = self }
        for domain in ["Page", "DOM"] { try await wire.send("\(domain).enable", to: session) }
        try await join(session)
        let page = Page(self, session)
        try await page.resize(width: width, height: height)
        try await page.go(to: url)
        return page
    }

    /// Sets up a worker before it does anything.
    func welcomeWorker(_ session: String) async throws {
        try await join(session)
        try await wire.send("Runtime.runIfWaitingForDebugger", to: session)
    }

    private func join(_ session: String) async throws {
        let isOffline = state.withLock { state in
            state.sessions.append(session)
            return state.isOffline
        }
        for domain in ["Runtime", "Log", "Network"] {
            // Workers have no log of their own.
            _ = try? await wire.send("\(domain).enable", to: session)
        }
        if isOffline { try await conditions(of: session, isOffline: true) }
    }

    // MARK: The network

    /// Makes all new requests fail; open connections stay open.
    public func setOffline(_ isOffline: Bool) async throws {
        let sessions = state.withLock { state in
            state.isOffline = isOffline
            return state.sessions
        }
        for session in sessions {
            // A worker may have ended meanwhile.
            do {
                try await conditions(of: session, isOffline: isOffline)
            } catch let error as BrowserError where "\(error)".contains("Session with given id") {
                state.withLock { $0.sessions.removeAll { $0 == session } }
            }
        }
    }

    private func conditions(of session: String, isOffline: Bool) async throws {
        try await wire.send(
            "Network.emulateNetworkConditions",
            [
                "offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1,
                "uploadThroughput": -1,
            ], to: session)
    }

    /// Grants permissions that pages of this origin request: `geolocation`, `notifications`.
    public func grant(_ permissions: String..., to origin: String) async throws {
        try await wire.send(
            "Browser.grantPermissions",
            [
                "permissions": .array(permissions.map { .string($0) }),
                "origin": .string(origin), "browserContextId": .string(context),
            ])
    }

    /// Sets a permission as in the browser's settings: `granted`, `denied` or `prompt`.
    public func set(_ permission: String, to setting: String, at origin: String) async throws {
        try await wire.send(
            "Browser.setPermission",
            [
                "permission": ["name": .string(permission)], "setting": .string(setting),
                "origin": .string(origin), "browserContextId": .string(context),
            ])
    }

    // MARK: Complaints

    /// Complaints of pages and workers, except those tolerated.
    public var complaints: [Complaint] {
        state.withLock { state in
            state.complaints.filter { complaint in
                !state.tolerances.contains { $0(complaint) }
            }
        }
    }

    public func tolerate(_ isTolerable: @escaping @Sendable (Complaint) -> Bool) {
        state.withLock { $0.tolerances.append(isTolerable) }
    }

    /// Sets the answer to the pages' dialogs; yes by default.
    public func answerDialogs(_ answer: Bool) { state.withLock { $0.answer = answer } }

    /// The texts of the dialogs that pages have opened.
    public var dialogs: [String] { state.withLock { $0.dialogs } }

    func take(_ event: Wire.Event, _ session: String) {
        switch event.method {
        case "Fetch.requestPaused": answer(event.parameters, session)
        case "ServiceWorker.workerRegistrationUpdated":
            let found = event.parameters["registrations"].elements.last { !$0["isDeleted"].isTrue }
            guard let id = found?["registrationId"].text else { return }
            state.withLock { $0.registration = id }
        case "Page.javascriptDialogOpening": takeDialog(event.parameters, session)
        case "Runtime.exceptionThrown":
            let details = event.parameters["exceptionDetails"]
            let text = details["exception"]["description"].text ?? details["text"].text ?? "?"
            complain(.exception, text, details["url"])
        case "Runtime.consoleAPICalled":
            guard ["error", "assert"].contains(event.parameters["type"].text) else { return }
            let words = event.parameters["args"].elements.map { argument in
                argument["value"].text ?? argument["description"].text ?? "…"
            }
            complain(.console, words.joined(separator: " "), .null)
        case "Log.entryAdded":
            let entry = event.parameters["entry"]
            guard entry["level"].text == "error" else { return }
            let source: Complaint.Source =
                switch entry["source"].text {
                case "network": .network
                case "security": .policy
                default: .other
                }
            complain(source, entry["text"].text ?? "?", entry["url"])
        default: break
        }
    }

    var registration: String? { state.withLock { $0.registration } }

    func serve(_ directories: [String], to session: String) {
        state.withLock { $0.files[session] = ServedFiles(directories: directories) }
    }

    private func answer(_ request: JSON, _ session: String) {
        guard let files = state.withLock({ $0.files[session] }) else { return }
        var answer = files.answer(to: request["request"]["url"].text ?? "")
        answer["requestId"] = request["requestId"]
        Task { [wire, answer] in
            try await wire.send("Fetch.fulfillRequest", .object(answer), to: session)
        }
    }

    private func complain(_ source: Complaint.Source, _ text: String, _ url: JSON) {
        state.withLock {
            $0.complaints.append(Complaint(source: source, text: text, url: url.text ?? ""))
        }
    }

    /// Handles a dialog; an alert is what an attacker's script would show.
    private func takeDialog(_ dialog: JSON, _ session: String) {
        let text = dialog["message"].text ?? "?"
        let answer = state.withLock { state in
            state.dialogs.append(text)
            return state.answer
        }
        if dialog["type"].text == "alert" { complain(.dialog, text, dialog["url"]) }
        Task { [wire] in
            try await wire.send(
                "Page.handleJavaScriptDialog", ["accept": .bool(answer)], to: session)
        }
    }
}
