import TestSupport

extension Page {
    // MARK: The pointer

    /// Presses the main button on the element's middle, if nothing covers it, and releases it after
    /// a while. If the element moved away just then, presses it again.
    public func click(_ element: Element, holding time: Duration = .zero) async throws {
        try await wait(for: "\(element) that can be clicked") { () -> Bool? in
            guard let place = try await place(of: element) else { return nil }
            try await mouse("mouseMoved", place.x, place.y)
            // Do not press where the element was before it moved.
            guard let object = try await find(element),
                let now = try await self.place(of: object), now == place
            else { return nil }
            try await watchForPress(on: object)
            try await press(x: place.x, y: place.y, holding: time)
            return await wasPressed(object) ? true : nil
        }
    }

    private func watchForPress(on object: String) async throws {
        _ = try await call(
            """
            function() {
                // Or what has just taken its place.
                const isMine = (target) => this.contains(target)
                    || target.closest?.('label')?.control === this
                    || target.closest?.(this.localName)?.textContent === this.textContent;
                this.wasPressed = false;
                window.addEventListener('mousedown', ({ target }) => {
                    this.wasPressed = isMine(target);
                }, { capture: true, once: true });
            }
            """, on: object)
    }

    /// A page that is gone cannot be queried: it was left because of the press.
    private func wasPressed(_ object: String) async -> Bool {
        (try? await call("function() { return this.wasPressed }", on: object))?.isTrue ?? true
    }

    public func click(x: Double, y: Double, holding time: Duration = .zero) async throws {
        try await mouse("mouseMoved", x, y)
        try await press(x: x, y: y, holding: time)
    }

    private func press(x: Double, y: Double, holding time: Duration) async throws {
        try await mouse("mousePressed", x, y)
        if time > .zero { try await Task.sleep(for: time) }
        try await mouse("mouseReleased", x, y)
    }

    private func mouse(_ kind: String, _ x: Double, _ y: Double) async throws {
        let isMove = kind == "mouseMoved"
        try await send(
            "Input.dispatchMouseEvent",
            [
                "type": .string(kind), "x": .number(x), "y": .number(y),
                "button": isMove ? "none" : "left", "clickCount": isMove ? 0 : 1,
            ])
    }

    /// Nil if it does not exist, is disabled, or is covered by something else. One out of sight
    /// is scrolled to, and has its place the next time: only then does the page know that it was
    /// scrolled, and some parts scroll back.
    func place(of element: Element) async throws -> (x: Double, y: Double)? {
        guard let object = try await find(element) else { return nil }
        return try await place(of: object)
    }

    private func place(of object: String) async throws -> (x: Double, y: Double)? {
        let place = try await call(
            """
            function() {
                if (this.disabled || this.getAttribute('aria-disabled') === 'true') return null;
                const box = this.getBoundingClientRect();
                const x = box.x + box.width / 2, y = box.y + box.height / 2;
                const top = document.elementFromPoint(x, y);
                const isFree = top && (this.contains(top) || top.closest('label')?.control === this);
                if (isFree) return {x, y};
                this.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
                return null;
            }
            """, on: object)
        guard let x = place["x"].number, let y = place["y"].number else { return nil }
        return (x, y)
    }

    /// Chooses files for a field.
    public func choose(files paths: [String], in element: Element) async throws {
        try await wait(for: "\(element) to choose files for") { () -> Bool? in
            guard let object = try await find(element) else { return nil }
            try await send(
                "DOM.setFileInputFiles",
                ["files": .array(paths.map { .string($0) }), "objectId": .string(object)])
            return true
        }
    }

    // MARK: The keyboard

    /// Replaces the field's content with the text.
    public func type(into element: Element, _ text: String) async throws {
        try await wait(for: "\(element) to type into") { () -> Bool? in
            guard let object = try await find(element) else { return nil }
            let how = try await call(
                """
                function(text) {
                    if (this.disabled || this.readOnly) return null;
                    this.focus();
                    if (!/^(date|time|month|week|datetime-local|range|color)$/.test(this.type)) {
                        this.select?.();
                        return 'typed';
                    }
                    this.value = text;
                    this.dispatchEvent(new Event('input', {bubbles: true}));
                    this.dispatchEvent(new Event('change', {bubbles: true}));
                    return 'set';
                }
                """, on: object, [.string(text)])
            guard let how = how.text else { return nil }
            if how == "typed" { try await type(text) }
            return true
        }
    }

    /// Types at the focus, replacing the selection.
    public func type(_ text: String) async throws {
        if text.isEmpty { return try await press("Backspace") }
        try await send("Input.insertText", ["text": .string(text)])
    }

    /// Chooses an option by its visible text, or the beginning of that.
    public func choose(_ text: String, in element: Element) async throws {
        try await wait(for: "“\(text)” in \(element)") { () -> Bool? in
            guard let object = try await find(element) else { return nil }
            let isDone = try await call(
                """
                function(text) {
                    const words = o => \(Page.read("o.text")).trim();
                    const options = [...this.options];
                    const option = options.find(o => words(o) === text)
                        ?? options.find(o => words(o).startsWith(text));
                    if (!option) throw new Error(options.map(words).join(' | '));
                    this.value = option.value;
                    this.dispatchEvent(new Event('input', {bubbles: true}));
                    this.dispatchEvent(new Event('change', {bubbles: true}));
                    return true;
                }
                """, on: object, [.string(text)])
            return isDone.isTrue ? true : nil
        }
    }

    /// - Parameter key: the name in `KeyboardEvent.key`: `Enter`, `Tab`, `Escape`, `a`.
    public func press(_ key: String, holding time: Duration = .zero, shift: Bool = false)
        async throws
    {
        let (code, number, text) = Page.key(key)
        var parameters: [String: JSON] = [
            "key": .string(key), "code": .string(code), "modifiers": shift ? 8 : 0,
            "windowsVirtualKeyCode": .number(Double(number)),
        ]
        parameters["type"] = "keyUp"
        let up = parameters
        parameters["type"] = text == nil ? "rawKeyDown" : "keyDown"
        if let text { parameters["text"] = .string(text) }
        try await send("Input.dispatchKeyEvent", .object(parameters))
        if time > .zero { try await Task.sleep(for: time) }
        try await send("Input.dispatchKeyEvent", .object(up))
    }

    private static func key(_ key: String) -> (code: String, number: Int, text: String?) {
        switch key {
        case "Enter": ("Enter", 13, "\r")
        case " ": ("Space", 32, " ")
        case "Tab": ("Tab", 9, nil)
        case "Backspace": ("Backspace", 8, nil)
        case "Escape": ("Escape", 27, nil)
        case "ArrowUp": ("ArrowUp", 38, nil)
        case "ArrowDown": ("ArrowDown", 40, nil)
        case "ArrowLeft": ("ArrowLeft", 37, nil)
        case "ArrowRight": ("ArrowRight", 39, nil)
        default:
            (
                "Key\(key.uppercased())", Int(key.uppercased().unicodeScalars.first?.value ?? 0),
                key
            )
        }
    }

    /// Moves the focus there, as the Tab key would.
    public func focus(_ element: Element) async throws {
        try await wait(for: "\(element) to focus") { () -> Bool? in
            guard let object = try await find(element) else { return nil }
            return try await call(
                "function() { this.focus(); return document.activeElement === this }", on: object
            ).isTrue ? true : nil
        }
    }
}
