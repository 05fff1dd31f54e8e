import Foundation
import TestSupport

/// A page in a tab.
public final class Page: Sendable {
    public let visitor: Visitor
    let session: String

    init(_ visitor: Visitor, _ session: String) {
        self.visitor = visitor
        self.session = session
    }

    @discardableResult
    func send(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await visitor.wire.send(method, parameters, to: session)
    }

    // MARK: Navigation

    /// Returns when it is loaded.
    public func go(to url: String) async throws {
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let problem = answer["errorText"].text { throw BrowserError("\(url): \(problem)") }
        try await wait(for: "a loaded page", "document.readyState === 'complete'")
    }

    /// Reloads as the reload button does. Returns when it is loaded.
    public func reload() async throws {
        try await run("window.isOld = true")
        try await send("Page.reload")
        try await wait(
            for: "a loaded page", "!window.isOld && document.readyState === 'complete'")
    }

    public func close() async throws { try await send("Page.close") }

    // MARK: Scripts

    /// - Returns: the expression's value; if it is a promise, the value to which it resolves.
    public func evaluate<Result: Decodable>(
        _ expression: String, as type: Result.Type = Result.self
    ) async throws -> Result {
        let value = try await value(of: expression)
        return try JSONDecoder().decode(Result.self, from: try JSONEncoder().encode(value))
    }

    /// Runs a script, ignoring its value.
    public func run(_ script: String) async throws {
        _ = try await value(of: "(async () => { \(script) })().then(() => true)")
    }

    private func value(of expression: String) async throws -> JSON {
        let answer = try await send(
            "Runtime.evaluate",
            [
                "expression": .string(expression), "returnByValue": true, "awaitPromise": true,
                "userGesture": true,
            ])
        try Page.check(answer, expression)
        return answer["result"]["value"]
    }

    static func check(_ answer: JSON, _ expression: String) throws {
        let details = answer["exceptionDetails"]
        guard !details.isNull else { return }
        let reason = details["exception"]["description"].text ?? details["text"].text ?? "?"
        throw BrowserError("\(expression.prefix(200)): \(reason)")
    }

    // MARK: Waiting

    /// Waits until the expression (or its promise) is true, with a limit suitable for a busy
    /// machine.
    public func wait(
        for what: @autoclosure () -> String, within limit: Duration = .seconds(25),
        _ expression: String
    ) async throws {
        try await wait(for: what(), within: limit) {
            try await evaluate("(async () => !!(await (\(expression))))()", as: Bool.self)
                ? true : nil
        }
    }

    /// Waits until there is a value. An error counts as no value: the page may be navigating.
    @discardableResult
    public func wait<Found>(
        for what: @autoclosure () -> String, within limit: Duration = .seconds(25),
        _ value: () async throws -> Found?
    ) async throws -> Found {
        let deadline = ContinuousClock.now + limit
        var problem = ""
        while true {
            do {
                if let found = try await value() { return found }
                problem = ""
            } catch let error as BrowserError {
                problem = "\(error)\n"
            }
            guard ContinuousClock.now < deadline else {
                throw BrowserError(
                    "Within \(limit) there was nothing of: \(what())\n\(problem)\(await view)")
            }
            try await Task.sleep(for: .milliseconds(40))
        }
    }

    /// Waits until the text is visible somewhere on the page.
    public func sees(_ text: String, within limit: Duration = .seconds(25)) async throws {
        try await wait(
            for: "“\(text)” on the page", within: limit,
            "\(Page.read("document.body.innerText")).includes(\(Page.quoted(text)))")
    }

    /// Waits until the text is no longer visible.
    public func loses(_ text: String, within limit: Duration = .seconds(25)) async throws {
        try await wait(
            for: "a page without “\(text)”", within: limit,
            "!\(Page.read("document.body.innerText")).includes(\(Page.quoted(text)))")
    }

    /// The page's content, for a failure's message.
    private var view: String {
        get async {
            let script = "location.hash + '\\n' + document.body.innerText.slice(0, 2000)"
            let text = (try? await evaluate(script, as: String.self)) ?? "(nothing)"
            let complaints = visitor.complaints.map(\.description).joined(separator: "\n")
            return "The page: \(text)\n\(complaints)"
        }
    }

    /// A JavaScript expression for the text with whitespace normalised, as people read it.
    public static func read(_ text: String) -> String {
        #"(\#(text)).replace(/[\u00a0\u202f]/g, ' ')"#
    }

    /// The text as a JavaScript literal.
    public static func quoted(_ text: String) -> String {
        guard let bytes = try? JSONEncoder().encode([text]) else { return "''" }
        return String(String(decoding: bytes, as: UTF8.self).dropFirst().dropLast())
    }
}
