import TestSupport

extension Page {
    /// Touches the element's middle with a finger, and lifts it after a while.
    public func touch(_ element: Element, holding time: Duration = .zero) async throws {
        let (x, y) = try await wait(for: "\(element) that can be touched") {
            try await place(of: element)
        }
        try await touch(x: x, y: y, holding: time)
    }

    /// The same at a point of the window, in CSS pixels.
    public func touch(x: Double, y: Double, holding time: Duration = .zero) async throws {
        try await send("Emulation.setTouchEmulationEnabled", ["enabled": true])
        try await finger("touchStart", [["x": .number(x), "y": .number(y)]])
        if time > .zero { try await Task.sleep(for: time) }
        try await finger("touchEnd", [])
    }

    private func finger(_ kind: String, _ points: [JSON]) async throws {
        try await send(
            "Input.dispatchTouchEvent", ["type": .string(kind), "touchPoints": .array(points)])
    }
}
