import TestSupport

/// A way to find something on a page.
public enum Element: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The first match of a CSS selector.
    case css(String)
    /// By its accessible role, which is one of these, and a name that contains this one. An exact
    /// match of the name is preferred.
    case role([String], name: String)

    public init(stringLiteral selector: String) { self = .css(selector) }

    public static func button(_ name: String) -> Element { .role(["button"], name: name) }
    public static func link(_ name: String) -> Element { .role(["link"], name: name) }
    public static func toggle(_ name: String) -> Element {
        .role(["switch", "checkbox", "ToggleButton"], name: name)
    }
    /// The summary line that opens and closes a disclosure.
    public static func disclosure(_ name: String) -> Element {
        .role(["DisclosureTriangle"], name: name)
    }
    public static func choice(_ name: String) -> Element { .role(["radio", "option"], name: name) }
    /// A control in which something can be typed or chosen.
    public static func field(_ name: String) -> Element {
        .role(
            [
                "textbox", "searchbox", "spinbutton", "combobox", "DateTime", "InputTime", "Date",
                "slider", "listbox",
            ], name: name)
    }

    public var description: String {
        switch self {
        case .css(let selector): selector
        case .role(let roles, let name): "\(roles[0]) “\(name)”"
        }
    }
}

extension Page {
    /// Returns the element if it exists now and is visible, or nil.
    func find(_ element: Element) async throws -> String? {
        switch element {
        case .css(let selector):
            let found = try await send(
                "Runtime.evaluate",
                [
                    "expression": .string(
                        "[...document.querySelectorAll(\(Page.quoted(selector)))]"
                            + ".find(e => e.checkVisibility({visibilityProperty: true}))")
                ])
            try Page.check(found, selector)
            return found["result"]["objectId"].text
        case .role(let roles, let name): return try await find(roles, name)
        }
    }

    private func find(_ roles: [String], _ name: String) async throws -> String? {
        let document = try await send("DOM.getDocument", ["depth": 0])
        let root = document["root"]["nodeId"]
        func nodes(_ parameters: JSON) async throws -> [JSON] {
            let tree = try await send("Accessibility.queryAXTree", parameters)
            return tree["nodes"].elements.filter { node in
                !node["ignored"].isTrue && roles.contains(node["role"]["value"].text ?? "")
            }
        }
        // Usually one has exactly this name, and listing all others takes time.
        var found = try await nodes(["nodeId": root, "accessibleName": .string(name)])
        if found.isEmpty { found = try await nodes(["nodeId": root]) }
        func find(_ matches: (String) -> Bool) -> JSON? {
            found.first { matches($0["name"]["value"].text ?? "") }
        }
        guard let node = find({ $0 == name }) ?? find({ $0.contains(name) }) else {
            let names = found.compactMap { $0["name"]["value"].text }
            throw BrowserError("Of that kind there are: \(names.joined(separator: " | "))")
        }
        let resolved = try await send(
            "DOM.resolveNode", ["backendNodeId": node["backendDOMNodeId"]])
        return resolved["object"]["objectId"].text
    }

    /// Calls a function with the element as `this`.
    func call(_ function: String, on object: String, _ arguments: [JSON] = []) async throws
        -> JSON
    {
        let answer = try await send(
            "Runtime.callFunctionOn",
            [
                "functionDeclaration": .string(function), "objectId": .string(object),
                "arguments": .array(arguments.map { ["value": $0] }), "returnByValue": true,
                "awaitPromise": true,
            ])
        try Page.check(answer, function)
        return answer["result"]["value"]
    }

    /// Whether such an element exists now.
    public func has(_ element: Element) async throws -> Bool {
        if case .role = element {
            do { return try await find(element) != nil } catch is BrowserError { return false }
        }
        return try await find(element) != nil
    }

    /// Waits until such an element exists.
    public func shows(_ element: Element, within limit: Duration = .seconds(25)) async throws {
        try await wait(for: "\(element)", within: limit) { try await find(element) }
    }

    /// Returns its visible text; waits until the element exists.
    public func text(of element: Element) async throws -> String {
        try await wait(for: "\(element)") {
            guard let object = try await find(element) else { return nil }
            return try await call("function() { return this.innerText }", on: object).text
        }
    }
}
